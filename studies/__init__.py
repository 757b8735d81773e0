"""Studies: long measurements, played by processes or by Celery workers. They store nothing in the database."""
