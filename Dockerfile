# The image of web, worker, beat and of the migration; compose.yaml says which command is which.
FROM python:3.13-slim

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
WORKDIR /site

# First what changes seldom, so that a new version of the site is built in a moment.
COPY requirements.hashes.txt .
RUN pip install --no-cache-dir --disable-pip-version-check --only-binary :all: --require-hashes -r requirements.hashes.txt

COPY . .
# The variables only let the settings load; nothing of them stays in the image.
RUN python -m web.languages.compiled \
    && SECRET_KEY=build ALLOWED_HOSTS=build python manage.py collectstatic --noinput \
    && useradd --system --home-dir /site solaris \
    && mkdir -p var && chown -R solaris var staticfiles
USER solaris

EXPOSE 8000
CMD ["gunicorn", "solaris_site.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4"]
