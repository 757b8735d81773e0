"""What everybody reads: the first page, a season with its standings, news, pictures and calendar; sheets to print."""
