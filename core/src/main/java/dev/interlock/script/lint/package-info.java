// SPDX-License-Identifier: Apache-2.0
/**
 * Finds mistakes in Lua scripts before Redis does: {@link dev.interlock.script.lint.ScriptLint} reads a script, {@link
 * dev.interlock.script.lint.ScriptAssert} is for your own tests and also runs it.
 *
 * <p>Inside: {@code Lexer} and {@code Parser} make a tree of {@code Expr} and {@code Stat} with every name resolved,
 * {@code Flow} tells which values reach each use of a local, {@code Values} what kind a value is. The classes {@code
 * …Rules} each hold one group of rules.
 */
@NullMarked
package dev.interlock.script.lint;

import org.jspecify.annotations.NullMarked;
