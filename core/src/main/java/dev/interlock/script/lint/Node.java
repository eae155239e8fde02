// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.List;
import java.util.function.Consumer;

/** A part of a parsed script. Two equal parts at different places are different: compare by identity. */
sealed interface Node permits Expr, Stat {
    /** Where it is, from 1. */
    int line();

    /** Its parts, in the order of the source. */
    List<? extends Node> children();

    /** Visits this part, then all within it, in the order of the source. */
    default void walk(Consumer<Node> visitor) {
        visitor.accept(this);
        children().forEach(child -> child.walk(visitor));
    }
}
