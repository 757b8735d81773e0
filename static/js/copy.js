"use strict";
// Buttons that copy a text of the page. Without JavaScript, or where the browser cannot copy, they stay hidden.
for (const button of document.querySelectorAll("button[data-copies]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", () => {
    const { value } = document.getElementById(button.dataset.copies);
    navigator.clipboard.writeText(value).then(() => { button.textContent = button.dataset.done; });
  });
}
