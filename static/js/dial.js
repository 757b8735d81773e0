/* The screens of a dial: a tap into a field takes its whole text, so that the next key replaces it. Another tap there
   puts the cursor where it fell. */
"use strict";
(function () {
  let fresh = null;
  const form = document.getElementById("dial-entry");
  form.addEventListener("focusin", ({ target }) => {
    if (!target.matches("input:not([type]), input[type=text]")) return;
    fresh = target;
    target.select();
  });
  // Browsers put the cursor after the focus came, as the finger is lifted.
  form.addEventListener("click", ({ target }) => {
    if (target === fresh) target.select();
    fresh = null;
  });
})();
