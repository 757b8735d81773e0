/* The unit editor works with plain buttons. This checks while one types and marks the fields that are wrong. */
"use strict";
(function () {
  const PAUSE = 400;
  const form = document.getElementById("editor");
  if (!form) return;
  let timer = null;
  let newest = 0;

  function mark() {
    const wrong = (document.getElementById("check").dataset.wrong || "").split(" ");
    form.querySelectorAll("[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
    wrong.filter(Boolean).forEach((name) => {
      const field = form.elements.namedItem(name);
      if (field && field.setAttribute) field.setAttribute("aria-invalid", "true");
    });
  }

  async function check() {
    const mine = ++newest;
    const values = new FormData(form);
    values.set("do", "check");
    values.set("part", "check");
    try {
      const response = await fetch(window.location.href, { method: "POST", body: values, headers: { Accept: "text/html" } });
      if (!response.ok || mine !== newest) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = page.getElementById("check");
      if (!fresh) return;
      const old = document.getElementById("check");
      const open = [...old.querySelectorAll("details")].map((details) => details.open);
      fresh.querySelectorAll("details").forEach((details, index) => { details.open = open[index] ?? details.open; });
      old.replaceWith(fresh);
      mark();
    } catch (problem) {
      // Without the network the button still checks.
    }
  }

  form.addEventListener("input", () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(check, PAUSE);
  });
  mark();
})();
