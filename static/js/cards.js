/* The card of a unit while it is pointed at, or until it is closed. Without this a unit is a link to its card. */
"use strict";
(function () {
  const card = document.getElementById("card");
  if (!card || !card.showPopover) return;
  let shown = [];
  const isOpen = () => card.matches(":popover-open"), each = (what, act) => card.querySelectorAll(what).forEach(act);

  function show(mark, kind) {
    const sheet = mark && document.getElementById(mark.dataset.card);
    if (isOpen() && kind === "manual" && card.popover === "auto") return;
    if (isOpen()) card.hidePopover();
    if (!sheet) return;
    const now = document.querySelector(`[data-now="${sheet.id}"]`);
    // After a step the sheet comes when it is asked for, and its values at once.
    shown = [mark, kind];
    if (sheet.matches("[data-later]")) sheet.dispatchEvent(new Event("wanted", { bubbles: true }));
    card.firstElementChild.replaceChildren(now.cloneNode(true), sheet.cloneNode(true));
    each("[id]", (part) => part.removeAttribute("id"));
    each("details", (part) => { part.open = true; });
    card.popover = kind;
    const at = mark.getBoundingClientRect();
    card.classList.toggle("left", at.left + at.right > innerWidth);
    // What is only pointed at leaves the bar free.
    const bar = kind === "manual" && document.querySelector(".bar");
    card.style.maxHeight = bar ? `${bar.getBoundingClientRect().top}px` : "";
    card.showPopover();
    if (kind === "auto") card.querySelector(".current")?.scrollIntoView({ block: "nearest" });
  }

  // Where something was chosen the pointer rests on the unit, and what is said of the choice must be read.
  let chosen = "";
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-step]")) return;
    chosen = `${event.clientX} ${event.clientY}`;
    if (isOpen()) card.hidePopover();
  });
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse" || chosen === `${event.clientX} ${event.clientY}`) return;
    chosen = "";
    // What can be chosen lies above the units.
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    show(under.map((part) => part.closest("svg [data-card]")).find(Boolean), "manual");
  });
  document.addEventListener("filled", () => { if (isOpen()) show(...shown); });
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches(":focus-visible")) show(target.closest("svg [data-card]"), "manual");
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
