from django.urls import path

from people.views import accounts, addresses, own_data, pushes, tokens, wordings

app_name = "people"
urlpatterns = [
    path("sign-up", accounts.sign_up, name="sign_up"),
    path("log-in", accounts.LogIn.as_view(), name="log_in"),
    path("log-out", accounts.LogOut.as_view(), name="log_out"),
    path("account", accounts.account, name="account"),
    path("account/password", accounts.ChangePassword.as_view(), name="change_password"),
    path("account/address", addresses.change_address, name="change_address"),
    path("account/leave", accounts.leave, name="leave"),
    path("account/kept", own_data.show_kept, name="kept"),
    path("account/data.zip", own_data.own_data, name="own_data"),
    path("tokens", tokens.tokens, name="tokens"),
    path("tokens/<int:token_id>/revoke", tokens.revoke, name="revoke_token"),
    path("push", pushes.browsers, name="push"),
    path("push/<int:browser_id>/end", pushes.end, name="end_push"),
    path("notices", accounts.notices, name="notices"),
    path("notices/read", accounts.read_notices, name="read_notices"),
    path("wording", wordings.propose, name="wording"),
    path("unsubscribe/<str:token>", accounts.unsubscribe, name="unsubscribe"),
    path("address/<str:code>/<str:token>", addresses.confirm_address, name="confirm_address"),
    path("reset-password", accounts.ResetPassword.as_view(), name="reset_password"),
    path("reset-password/sent", accounts.ResetPasswordSent.as_view(), name="reset_password_sent"),
    path("reset-password/<uidb64>/<token>", accounts.ChooseNewPassword.as_view(), name="choose_new_password"),
]
