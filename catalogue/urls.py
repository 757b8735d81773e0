"""Addresses under /catalogue/."""

from django.urls import path

from catalogue import views

app_name = "catalogue"
urlpatterns = [
    path("", views.index, name="index"),
    path("check/", views.check, name="check"),
    path("units/<slug:key>/", views.unit, name="unit"),
]
