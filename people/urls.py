from django.urls import path

from people import token_pages, views

app_name = "people"
urlpatterns = [
    path("sign-up", views.sign_up, name="sign_up"),
    path("log-in", views.LogIn.as_view(), name="log_in"),
    path("log-out", views.LogOut.as_view(), name="log_out"),
    path("account", views.account, name="account"),
    path("account/password", views.ChangePassword.as_view(), name="change_password"),
    path("account/leave", views.leave, name="leave"),
    path("account/data.json", views.own_data, name="own_data"),
    path("tokens", token_pages.tokens, name="tokens"),
    path("tokens/<int:token_id>/revoke", token_pages.revoke, name="revoke_token"),
    path("notices", views.notices, name="notices"),
    path("notices/read", views.read_notices, name="read_notices"),
    path("unsubscribe/<str:token>", views.unsubscribe, name="unsubscribe"),
    path("reset-password", views.ResetPassword.as_view(), name="reset_password"),
    path("reset-password/sent", views.ResetPasswordSent.as_view(), name="reset_password_sent"),
    path("reset-password/<uidb64>/<token>", views.ChooseNewPassword.as_view(), name="choose_new_password"),
]
