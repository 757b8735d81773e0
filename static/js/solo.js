/* Waits for the season: asks once a second whether something is to be done, and then goes there, once: to ask for the
   page again would take back what is on its way from a slow server. */
"use strict";
(function () {
  const wait = document.getElementById("wait");
  let looks = 0, called, going;
  setInterval(async () => {
    if (going || (document.hidden && (called || ++looks % 5))) return;
    try {
      if ((await fetch(wait.dataset.changes)).status !== 200) return;
      if (!document.hidden && !going) { going = true; location.reload(); }
      else if (document.hidden && !called) { called = true; callReader(); }
    } catch (problem) { /* No network: ask again in a second. */ }
  }, 1000);
})();
