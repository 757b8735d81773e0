from django.urls import URLPattern, path

app_name = "people"
urlpatterns: list[URLPattern] = []
