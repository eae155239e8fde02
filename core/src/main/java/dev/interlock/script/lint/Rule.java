// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

/** What {@link ScriptLint} looks for. The order and the codes are stable; new rules are added at the end. */
public enum Rule {
    /** The file is not Lua 5.1. */
    SYNTAX("L00", "Redis cannot compile the script.", "Correct the syntax (Lua 5.1)."),
    /** The first line is not {@code #!lua} with known flags. */
    SHEBANG(
            "L01",
            "without a valid \"#!lua\" first line Redis lets a script touch keys that it did not declare.",
            "Begin the file with \"#!lua\", or \"#!lua flags=no-writes\" for a script that only reads."),
    /** The header lacks its summary, {@code Returns} or {@code Cost}. */
    HEADER(
            "L02",
            "callers cannot know what the script takes, returns and costs.",
            "Describe it in comment lines below the first line: a summary, KEYS[n], ARGV[n], Returns and Cost."),
    /** Header and body disagree about {@code KEYS} or {@code ARGV}. */
    PARAMETERS(
            "L03",
            "callers pass the wrong keys or arguments.",
            "Describe each KEYS[n] and ARGV[n] that the body uses and no other; KEYS[2..] stands for all from 2 on."),
    /** {@code KEYS[0]} or {@code ARGV[0]}. */
    ZERO_INDEX("L04", "Lua counts from 1, so this is always nil.", "Use KEYS[1] or ARGV[1] for the first one."),
    /** An unconverted reply or argument is compared with a number or by order. */
    UNCONVERTED(
            "L05",
            "replies and arguments are strings, which raise an error when ordered against a number, never equal one,"
                    + " and order \"10\" before \"9\".",
            "Convert it first with tonumber(…), and check the result for nil."),
    /** A reply is compared with {@code nil}. */
    NIL_REPLY(
            "L06",
            "a missing value reaches Lua as false, never as nil, so this is always the same.",
            "Write \"if not value\" or compare with false."),
    /** A global variable is written, or one read that does not exist. */
    GLOBAL(
            "L07",
            "Redis refuses scripts to create or read unknown globals, at the moment they try.",
            "Declare it with \"local\" before its first use, or correct the name."),
    /** {@code math.random} or {@code math.randomseed}. */
    RANDOM(
            "L08",
            "Redis seeds it alike for each script, so that it gives the same numbers in every call.",
            "Draw random numbers in the caller and pass them in ARGV."),
    /** A {@code while} or {@code repeat} without a provable bound. */
    LOOP(
            "L09",
            "no bound can be seen, and Redis serves nobody else while it runs.",
            "Use \"for i = 1, n\", or count up to a limit from ARGV, KEYS, the length of a table or a constant."),
    /** {@code KEYS}, {@code SCAN} or {@code RANDOMKEY} is called. */
    COMMAND(
            "L10",
            "it visits keys that the script did not declare, and the whole key space while Redis serves nobody else.",
            "Pass the keys in KEYS, or keep a set of them and pass that."),
    /** A key that did not come from {@code KEYS}. */
    KEY_NAME(
            "L11",
            "Redis cannot see this key before the script runs, so slots and ACLs are not checked and a cluster refuses"
                    + " it or misses the data.",
            "Build the name in the caller and pass it in KEYS."),
    /** An id goes through {@code tonumber} or {@code cjson}. */
    ID_NUMBER(
            "L12",
            "Lua numbers are exact only below 2^53, so that 1760000000000000001 and 00017 come out as other ids.",
            "Keep ids as strings from ARGV to the write, and compare them as strings."),
    /** {@code unpack} of a table whose length has no bound. */
    UNPACK(
            "L13",
            "unpack raises an error above some 8,000 values, which the table may reach in production only.",
            "Unpack in slices, unpack(t, i, j), or fill the table from a batch whose header states its maximum."),
    /** {@code tostring} of a number. */
    TOSTRING(
            "L14",
            "a number of 15 digits or more comes out rounded and with an exponent, such as 1e+15.",
            "Write string.format('%.0f', n), or '%d' for a whole number.");

    private final String code;
    private final String why;
    private final String mend;

    Rule(String code, String why, String mend) {
        this.code = code;
        this.why = why;
        this.mend = mend;
    }

    /** {@return the short name for reports, such as {@code L05}, never given to another rule} */
    public String code() {
        return code;
    }

    /** {@return what comes of breaking this rule, one sentence; it follows what was found, after a colon} */
    public String why() {
        return why;
    }

    /** {@return what to write instead, one sentence} */
    public String mend() {
        return mend;
    }
}
