/* Shows only the 'Mechs whose names have what is typed, and chooses the one that is left. Without it "Find" asks the
   server. */
"use strict";
(function () {
  const form = document.getElementById("door"), search = form?.elements.search;
  if (!search) return;
  const offers = [...document.querySelectorAll("#offers [data-name]")];
  const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/ł/g, "l").replace(/ß/g, "ss")
    .replace(/[^\p{L}\p{N}]+/gu, "");
  const shown = () => offers.filter((offer) => !offer.hidden);

  function filter() {
    const words = search.value.split(/\s+/).map(plain);
    for (const offer of offers) {
      offer.hidden = !words.every((word) => offer.dataset.name.includes(word));
      // What nobody sees is not bought.
      if (offer.hidden) offer.querySelector("input").checked = false;
    }
    const left = shown();
    if (left.length === 1) left[0].querySelector("input").checked = true;
  }

  search.addEventListener("input", filter);
  search.addEventListener("keydown", (event) => {
    // Enter goes on only when the search has left one 'Mech, or one is chosen.
    if (event.key === "Enter" && !form.querySelector("[name=mech]:checked") && shown().length) {
      event.preventDefault();
      shown()[0].querySelector("input").focus();
    }
  });
})();
