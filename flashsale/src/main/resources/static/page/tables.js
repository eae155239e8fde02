// SPDX-License-Identifier: Apache-2.0
/** Tables that are filled again each second. Rows and cells are kept, so focus and selection stay where they are. */

/**
 * One table.
 * @param id of the element it goes into, and of its heading with "-title"
 * @param columns heading, and what a cell shows: a text, or an element if the column makes one
 * @param empty what is said when there is no row
 */
export class Table {
  constructor(id, columns, empty) {
    this.columns = columns;
    this.rows = new Map();
    this.note = Object.assign(document.createElement("p"), { className: "note", textContent: empty });
    this.table = document.createElement("table");
    this.table.setAttribute("aria-labelledby", `${id}-title`);
    const head = this.table.createTHead().insertRow();
    for (const column of columns) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = column.name;
      cell.className = column.number ? "number" : "";
      head.append(cell);
    }
    this.body = this.table.createTBody();
    this.table.hidden = true;
    document.getElementById(id).append(this.note, this.table);
  }

  show(items, key) {
    const gone = new Set(this.rows.keys());
    items.forEach((item, index) => {
      const name = String(item[key]);
      gone.delete(name);
      const row = this.rows.get(name) ?? this.add(name);
      this.columns.forEach((column, i) => this.fill(row.cells[i], column, item));
      if (this.body.rows[index] !== row) {
        this.body.insertBefore(row, this.body.rows[index] ?? null);
      }
    });
    for (const name of gone) {
      this.rows.get(name).remove();
      this.rows.delete(name);
    }
    this.table.hidden = items.length === 0;
    this.note.hidden = items.length > 0;
  }

  add(name) {
    const row = this.body.insertRow();
    for (const column of this.columns) {
      const cell = row.insertCell();
      cell.dataset.label = column.name;
      cell.className = column.number ? "number" : "";
      if (column.make) {
        cell.append(column.make(name));
      }
    }
    this.rows.set(name, row);
    return row;
  }

  fill(cell, column, item) {
    if (column.make) {
      column.update?.(cell.firstChild, item);
      return;
    }
    const text = column.text(item);
    if (cell.textContent !== text) {
      cell.textContent = text;
    }
    cell.classList.toggle("bad", Boolean(column.bad?.(item)));
  }
}
