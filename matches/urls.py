from django.urls import path

from matches import api, views

app_name = "matches"
urlpatterns = [
    path("<uuid:public_id>/", views.show, name="show"),
    path("<uuid:public_id>/sheets/", views.sheets, name="sheets"),
    path("<uuid:public_id>/replay.json", views.download, name="download"),
    path("<uuid:public_id>/actions/", api.actions, name="actions"),
]
