"""Studies: long measurements, played by processes or by Celery workers. Nothing of them lies in the database."""
