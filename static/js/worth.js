"use strict";
// Adds up the worth of the chosen target tokens. Without JavaScript the page has the sum of what was handed in.
for (const output of document.querySelectorAll("fieldset output")) {
  const tokens = output.closest("fieldset");
  const chosen = () => [...tokens.querySelectorAll("select")].map((select) => select.selectedOptions[0]);
  const add = () => { output.value = chosen().reduce((sum, option) => sum + Number(option.dataset.worth), 0); };
  tokens.onchange = add;
  add();
}
