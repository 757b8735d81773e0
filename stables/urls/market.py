"""The addresses of market and garage; included by stables.urls, so the names are `stables:...`."""

from django.urls import path

from stables.views.stable import crew, garage, market, miniatures

STABLE = "seasons/<slug:season_slug>/stables/<slug:stable_slug>/"
urlpatterns = [
    path(STABLE + "market/", market.market_page, name="market"),
    path(STABLE + "garage/", garage.garage_page, name="garage"),
    path(STABLE + "units/<int:asset_id>/photo/", miniatures.miniature, name="miniature"),
    path(STABLE + "units/<int:asset_id>/photo.jpg", miniatures.miniature_photo, name="miniature_photo"),
    path(STABLE + "units/<int:asset_id>/photo/remove", miniatures.remove_miniature, name="remove_miniature"),
    path(STABLE + "crew/", crew.crew_page, name="crew"),
    path(STABLE + "buy", market.buy, name="buy"),
    path(STABLE + "buy-crew", market.buy_crew, name="buy_crew"),
    path(STABLE + "sell", market.sell, name="sell"),
    path(STABLE + "repair", garage.repair, name="repair"),
    path(STABLE + "repair-all", garage.repair_all, name="repair_all"),
    path(STABLE + "repair-order", garage.order_repairs, name="repair_order"),
    path(STABLE + "assign", garage.assign, name="assign"),
    path(STABLE + "unassign", garage.unassign, name="unassign"),
    path(STABLE + "basket/put", market.put_in, name="basket_put"),
    path(STABLE + "basket/advice", market.put_advice_in, name="basket_advice"),
    path(STABLE + "basket/take", market.take_out, name="basket_take"),
    path(STABLE + "basket/up", market.move_up, name="basket_up"),
    path(STABLE + "basket/seal", market.seal, name="basket_seal"),
    path(STABLE + "basket/unseal", market.unseal, name="basket_unseal"),
]
