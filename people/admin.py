from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.utils.translation import gettext_lazy as _

from people.models import User

admin.site.site_header = _("Solaris Circuit administration")
admin.site.site_title = _("Solaris Circuit")


@admin.register(User)
class PersonAdmin(UserAdmin):
    fieldsets = (*(UserAdmin.fieldsets or ()), (_("Preferences"), {"fields": ["time_zone"]}))
    add_fieldsets = ((None, {"classes": ["wide"], "fields": ["username", "email", "password1", "password2"]}),)
