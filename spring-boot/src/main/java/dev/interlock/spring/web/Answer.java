// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a filter says itself instead of the application, or what the application said before. */
final class Answer {
    private final int status;
    private final List<Header> headers;
    private final byte[] body;

    Answer(int status, List<Header> headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    int status() {
        return status;
    }

    /** In their order. */
    List<Header> headers() {
        return headers;
    }

    /** As it is sent; not to be changed. */
    byte[] body() {
        return body;
    }

    /**
     * One line of a response's head.
     *
     * @param name of the header
     * @param value as it is sent
     */
    record Header(String name, String value) {}

    /**
     * A refusal as RFC 9457 writes it.
     *
     * @param status HTTP status
     * @param type URI of the problem, or {@code about:blank}
     * @param title what it is; fixed text
     * @param extension further JSON members, each with a comma before it; of configured text only
     * @param headers further headers
     */
    static Answer problem(int status, String type, String title, String extension, List<Header> headers) {
        String json = "{\"type\":\"" + type + "\",\"title\":\"" + title + "\",\"status\":" + status + extension + "}";
        List<Header> all = new ArrayList<>(headers);
        all.add(new Header("Content-Type", "application/problem+json"));
        all.add(new Header("Cache-Control", "no-store"));
        return new Answer(status, all, json.getBytes(StandardCharsets.UTF_8));
    }

    /** A refusal without a type of its own. */
    static Answer problem(int status, String title, Header... headers) {
        return problem(status, "about:blank", title, "", List.of(headers));
    }
}
