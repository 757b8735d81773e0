"""Sealed baskets: the purchases that stables plan for the close of the market."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from stables.models.season import Cycle
from stables.models.stable import Stable


class Basket(models.Model):
    """A stable's purchases at the close of a cycle's market. `lines` are {"kind", "key"} in order, secret until then.

    A basket that is not sealed is not bought. `filled_at` is set once the market closed over it. `outcome` then has for
    each line {"kind", "key", "price", "bought", "refused"}: "price" in Stones, and "refused" is a list with the first
    problem as {"code", "parameters"}, empty for a bought line.
    """

    stable = models.ForeignKey(Stable, on_delete=models.CASCADE, related_name="baskets", verbose_name=_("stable"))
    cycle = models.ForeignKey(Cycle, on_delete=models.CASCADE, related_name="baskets", verbose_name=_("cycle"))
    lines = models.JSONField(_("lines"), default=list)
    sealed_at = models.DateTimeField(_("sealed"), null=True, blank=True)
    filled_at = models.DateTimeField(_("filled"), null=True, blank=True)
    outcome = models.JSONField(_("outcome"), default=list, blank=True)

    class Meta:
        verbose_name = _("basket")
        verbose_name_plural = _("baskets")
        ordering = ["cycle", "stable"]
        constraints = [models.UniqueConstraint(fields=["stable", "cycle"], name="one_basket_a_market")]

    def __str__(self) -> str:
        return f"{self.cycle_id}: {self.stable_id}"
