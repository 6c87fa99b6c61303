// For pages with folded parts, as it runs in the browser: opens the part that a link leads into.

export const OPEN_TARGET_SCRIPT = `
function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let place = target; place; place = place.parentElement) if (place.tagName === "DETAILS") place.open = true;
  if (target) target.scrollIntoView();
}
addEventListener("hashchange", openTarget);
openTarget();
`;
