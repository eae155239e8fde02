// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

/** A local variable or parameter: one object per declaration, compared by identity. */
final class Variable {
    private final String name;

    Variable(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }
}
