"""The picture of a unit to share: the facts of its page, and its attack values along the dial."""

from __future__ import annotations

from django.utils.translation import gettext as _

from catalogue.models import CatalogueEntry
from catalogue.presenters.definitions import unit_card
from rules.core.table_units import is_table_only
from web.pictures.poster import Figure, Poster


def unit_poster(entry: CatalogueEntry) -> Poster:
    """Return the picture of a unit; one without a dial has no bars. No query."""
    card = unit_card(entry)
    facts = [(_("class"), card.unit_class), (_("points"), str(card.points))]
    facts += [(_("clicks"), str(card.clicks))] if card.clicks else []
    facts += [(_("speed"), str(card.speed))] if card.speed is not None else []
    facts += [(_("defense"), str(card.defense))] if card.defense is not None else []
    is_without = is_table_only(entry.definition)
    damage = [text for text in (card.primary, card.secondary) if text]
    return Poster(
        title=card.name,
        heading=" · ".join(part for part in (card.key, card.variant, card.statistics) if part),
        sentence=card.no_dial if is_without else _("Damage: %(damage)s") % {"damage": ", ".join(damage)},
        figures=tuple(Figure(label, value) for label, value in facts),
        bars=() if is_without else tuple(int(click["attack"]) for click in entry.definition["dial"]),
        bars_label=_("Attack, click by click"),
    )
