from django.urls import include, path

from matches.views import friendly, match, play, quick_duels

app_name = "matches"
urlpatterns = [
    path("", include("matches.urls.preset_answers")),
    path("", include("matches.urls.replay")),
    path("new/", friendly.new, name="new"),
    path("fight/", quick_duels.fight, name="fight"),
    path("tutorial/", quick_duels.tutorial, name="tutorial"),
    path("<uuid:public_id>/skip-tutorial/", quick_duels.skip_tutorial, name="skip_tutorial"),
    path("fight-a-friend/", quick_duels.fight_a_friend, name="fight_a_friend"),
    path("<uuid:public_id>/nod/", friendly.nod, name="nod"),
    path("<uuid:public_id>/rematch/", friendly.rematch, name="rematch"),
    path("<uuid:public_id>/play-on/", friendly.play_on, name="play_on"),
    path("being-played/", match.being_played, name="being_played"),
    path("<uuid:public_id>/", match.show, name="show"),
    path("<uuid:public_id>/play/", play.play, name="play"),
    path("<uuid:public_id>/play/changes/", play.changes, name="changes"),
    path("<uuid:public_id>/sheets/", match.sheets, name="sheets"),
    path("<uuid:public_id>/replay.json", match.download, name="download"),
]
