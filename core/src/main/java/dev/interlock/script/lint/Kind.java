// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.EnumSet;
import java.util.Set;

/** What a value is and where it is from. */
enum Kind {
    /** A Lua number. */
    NUMBER,
    /** A string written in the script. */
    LITERAL,
    /** A string made by {@code ..} or a library function. */
    BUILT,
    /** An element of {@code ARGV}. */
    ARGUMENT,
    /** An element of {@code KEYS}. */
    KEY,
    /** A reply that is a number. */
    INTEGER_REPLY,
    /** A reply that is a string, or false. */
    TEXT_REPLY,
    /** A reply of as many strings as were asked for, false where one is missing. */
    ROW_REPLY,
    /** A reply of any number of strings. */
    LIST_REPLY,
    /** A reply of another shape, or to a command that is not known here. */
    OTHER_REPLY,
    /** An element of a row: a string or false. */
    ROW_ITEM,
    /** An element of a list: a string, or nil beyond its end. */
    LIST_ITEM,
    /** From {@code cjson.decode}. */
    DECODED,
    NIL,
    BOOLEAN,
    TABLE,
    FUNCTION,
    UNKNOWN;

    /** Strings from outside, as they came. */
    static final Set<Kind> RAW = Set.copyOf(EnumSet.of(ARGUMENT, TEXT_REPLY, ROW_ITEM, LIST_ITEM));
    /** Lua numbers. */
    static final Set<Kind> NUMERIC = Set.copyOf(EnumSet.of(NUMBER, INTEGER_REPLY));
    /** Whatever is false, not nil, where Redis has nothing. */
    static final Set<Kind> NEVER_NIL =
            Set.copyOf(EnumSet.of(INTEGER_REPLY, TEXT_REPLY, ROW_REPLY, LIST_REPLY, OTHER_REPLY, ROW_ITEM));
    /** Strings that are no declared key. */
    static final Set<Kind> NO_KEY =
            Set.copyOf(EnumSet.of(NUMBER, LITERAL, BUILT, ARGUMENT, TEXT_REPLY, ROW_ITEM, LIST_ITEM, DECODED));

    static boolean any(Set<Kind> kinds, Set<Kind> wanted) {
        return kinds.stream().anyMatch(wanted::contains);
    }

    static boolean all(Set<Kind> kinds, Set<Kind> wanted) {
        return !kinds.isEmpty() && wanted.containsAll(kinds);
    }
}
