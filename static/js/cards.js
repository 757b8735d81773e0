/* The card of a unit, while it is pointed at or has the focus, and until it is closed once it is pressed. Without this a
   unit is a link to its card further down. */
"use strict";
(function () {
  const card = document.getElementById("card");
  if (!card || !card.showPopover) return;
  const isOpen = () => card.matches(":popover-open");

  function show(mark, kind) {
    const sheet = mark && document.getElementById(mark.dataset.card);
    if (kind === "manual" && isOpen() && card.popover === "auto") return;
    if (isOpen()) card.hidePopover();
    if (!sheet) return;
    const parts = [document.querySelector(`[data-now="${sheet.id}"]`), sheet].filter(Boolean);
    card.firstElementChild.replaceChildren(...parts.map((part) => part.cloneNode(true)));
    card.querySelectorAll("[id]").forEach((each) => each.removeAttribute("id"));
    card.querySelectorAll("details").forEach((each) => { each.open = true; });
    card.popover = kind;
    const at = mark.getBoundingClientRect();
    card.classList.toggle("left", at.left + at.right > innerWidth);
    card.showPopover();
  }

  // What can be chosen lies above the units.
  const under = (event) => document.elementsFromPoint(event.clientX, event.clientY)
    .map((each) => each.closest("svg [data-card]")).find(Boolean);

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") show(under(event), "manual");
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) show(event.target.closest("svg [data-card]"), "manual");
  });
  document.addEventListener("click", (event) => {
    const mark = event.target.closest("a[data-card]:not([data-step])");
    if (!mark || event.ctrlKey || event.metaKey || event.shiftKey || card.contains(mark)) return;
    event.preventDefault();
    show(mark, "auto");
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen()) card.hidePopover();
  });
})();
