// The page of a table: keys, presses without a reload, and presses that wait for the network in this browser.
"use strict";
(function () {
  const STORE = `challenge:${location.pathname.split("/").slice(0, 5).join("/")}`, RETRY = 4000;
  const offline = document.getElementById("table-offline"), problem = document.getElementById("table-problem");
  const keys = document.getElementById("table-keys"), isOn = keys.querySelector("input");
  const typed = keys.querySelector("output");
  let fresh = Date.now(), sending = false, digits = "", inPage = null;

  const part = () => document.getElementById("table-part");

  // A browser that keeps nothing can still send: then presses wait in the page.
  function waiting() {
    try { return inPage || JSON.parse(localStorage.getItem(STORE) || "[]"); } catch (fault) { return []; }
  }

  function keep(list) {
    inPage = null;
    try { localStorage.setItem(STORE, JSON.stringify(list)); } catch (fault) { inPage = list; }
    say();
  }

  function say() {
    const count = waiting().length;
    offline.hidden = !count;
    offline.querySelector("[data-waiting]").textContent = count;
    offline.querySelector("[data-since]").textContent = new Date(fresh).toTimeString().slice(0, 5);
  }

  function clientId() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // Puts the part of an answer in place of this page's; false for an answer that has none.
  async function show(answer) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page.getElementById("table-part");
    if (!found) return false;
    fresh = Date.now();
    const top = scrollY, was = focused();
    part().replaceWith(found);
    if (!new URL(answer.url).pathname.match(/\/(feat|undo|claims|fall)\/$/)) history.replaceState(null, "", answer.url);
    scrollTo(0, top);
    found.querySelector("[role=alert]")?.scrollIntoView();
    if (was) found.querySelector(was)?.focus({ preventScroll: true });
    return true;
  }

  // Who came to a control by the keyboard finds it focused again; after a click Enter is free for the next pilot.
  function focused() {
    const was = document.activeElement;
    if (!was || !was.matches("#table-part :focus-visible")) return null;
    if (was.dataset.card && was.matches("a")) return `.pilot-tile[data-card="${was.dataset.card}"]`;
    return was.name ? `[name="${was.name}"][value="${CSS.escape(was.value)}"]` : null;
  }

  async function send() {
    if (sending) return;
    sending = true;
    for (let list = waiting(); list.length; list = waiting()) {
      let answer = null;
      try { answer = await post(list[0].address, list[0].body); } catch (fault) { break; }
      if (answer.status >= 500) break;
      // Only now is it out of the list: a browser that is closed before this sends the same id again.
      keep(waiting().slice(1));
      problem.hidden = await show(answer);
    }
    sending = false;
    say();
    if (waiting().length) setTimeout(send, RETRY);
  }

  function press(form, submitter) {
    const data = new FormData(form, submitter);
    data.set("client_id", clientId());
    const address = (submitter && submitter.getAttribute("formaction")) || form.getAttribute("action");
    const body = new URLSearchParams(data).toString();
    if (submitter && submitter.matches("[data-falls], [data-show]")) return look(address, body);
    keep([...waiting(), { address, body }]);
    return send();
  }

  // A look writes nothing: without the network it waits for nobody.
  async function look(address, body) {
    try { problem.hidden = await show(await post(address, body)); } catch (fault) { problem.hidden = false; }
  }

  const post = (address, body) => fetch(address, {
    method: "POST", body, headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });

  async function visit(address) {
    try { if (await show(await fetch(address))) return; } catch (fault) { choose(address); return; }
    location.assign(address);
  }

  // Without the network the attacker changes on the page that is there, where it has the form already.
  function choose(address) {
    const form = document.querySelector("[data-feats]"), by = new URL(address, location.href).searchParams.get("by");
    if (!form || !form.querySelector("#points")) return;
    for (const field of document.querySelectorAll("#table-part input[name=by]")) field.value = by;
    form.querySelector("h3").textContent = by;
    for (const tile of document.querySelectorAll(".pilot-tile")) {
      if (new URL(tile.href).searchParams.get("by") === by) tile.setAttribute("aria-current", "true");
      else tile.removeAttribute("aria-current");
    }
    say();
    offline.hidden = false;
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("#table-part")) return;
    event.preventDefault();
    press(form, event.submitter);
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest(".pilot-tile, [data-next]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    visit(link.href);
  });

  document.addEventListener("change", (event) => {
    const form = event.target.closest("[data-fall]");
    if (form) press(form, form.querySelector("[data-show]"));
  });

  // A number names an attacker while nobody is chosen, and a target from then on: that of a press that waits for it.
  function name(number) {
    digits = typed.textContent = "";
    const find = (control) => document.querySelector(`#table-part ${control}[data-card="${number}"]`);
    const by = document.querySelector("[data-feats] [name=by]"), target = find("[name=at]"), tile = find(".pilot-tile");
    if (target && target.matches("button")) target.click();
    else if (target && by.value) target.checked = true;
    else if (tile) tile.click();
  }

  function digit(key) {
    digits += key;
    typed.textContent = digits;
    const cards = [...document.querySelectorAll(".pilot-tile")].map((tile) => tile.dataset.card);
    if (!cards.some((card) => card !== digits && card.startsWith(digits))) name(digits);
  }

  document.addEventListener("keydown", (event) => {
    if (!isOn.checked || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input:not([type=radio]):not([type=checkbox]), select, textarea")) return;
    if (event.key === "Enter" && event.target.matches("a, button, summary")) return;
    if (/^[0-9]$/.test(event.key)) {
      event.preventDefault();
      digit(event.key);
      return;
    }
    if (digits) name(digits);
    const button = /^[a-z]$/.test(event.key) && document.querySelector(`#table-part [data-key="${event.key}"]`);
    const chosen = event.key === "Enter" ? document.querySelector("#table-part [data-next]")
      : event.key === "Backspace" ? document.querySelector("#table-part [data-undo] button") : button;
    if (!chosen) return;
    event.preventDefault();
    const points = document.getElementById("points");
    if (event.key === "d" && points && !points.value) points.focus();
    else chosen.click();
  });

  try { isOn.checked = localStorage.getItem("challenge:keys") !== "off"; } catch (fault) { isOn.checked = true; }
  isOn.addEventListener("change", () => {
    try { localStorage.setItem("challenge:keys", isOn.checked ? "on" : "off"); } catch (fault) { /* Not kept. */ }
  });
  keys.hidden = false;
  addEventListener("online", send);
  say();
  if (waiting().length) send();
})();
