"""The addresses of market and garage; included by stables.urls, so the names are `stables:...`."""

from django.urls import path

from stables import garage_page, market_page
from stables.views import baskets, garage, market

STABLE = "seasons/<slug:season_slug>/stables/<slug:stable_slug>/"
urlpatterns = [
    path(STABLE + "market/", market_page.market, name="market"),
    path(STABLE + "garage/", garage_page.garage, name="garage"),
    path(STABLE + "buy", market.buy, name="buy"),
    path(STABLE + "sell", market.sell, name="sell"),
    path(STABLE + "repair", garage.repair, name="repair"),
    path(STABLE + "repair-all", garage.repair_all, name="repair_all"),
    path(STABLE + "repair-order", garage.order_repairs, name="repair_order"),
    path(STABLE + "assign", garage.assign, name="assign"),
    path(STABLE + "unassign", garage.unassign, name="unassign"),
    path(STABLE + "basket/put", baskets.put_in, name="basket_put"),
    path(STABLE + "basket/take", baskets.take_out, name="basket_take"),
    path(STABLE + "basket/up", baskets.move_up, name="basket_up"),
    path(STABLE + "basket/lines", baskets.set_lines, name="basket_lines"),
    path(STABLE + "basket/seal", baskets.seal, name="basket_seal"),
    path(STABLE + "basket/unseal", baskets.unseal, name="basket_unseal"),
]
