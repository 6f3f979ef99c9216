document.querySelectorAll("th button").forEach(button => button.addEventListener("click", () => {
  const head = button.parentElement, table = head.closest("table"), body = table.tBodies[0];
  const place = head.cellIndex, numbers = head.className === "number";
  const [first, second] = numbers ? ["descending", "ascending"] : ["ascending", "descending"];
  const order = head.getAttribute("aria-sort") === first ? second : first;
  const sign = order === "ascending" ? 1 : -1;
  const value = row => row.cells[place].dataset.value ?? row.cells[place].textContent;
  const compare = (a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === "" || y === "") return (x === "") - (y === "");
    return sign * (numbers ? x - y : (x > y) - (x < y));
  };
  table.querySelectorAll("th").forEach(other => other.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", order);
  body.append(...[...body.rows].sort(compare));
}));
