// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** Collects a response, and tells what of it the application made. */
final class KeptResponse extends ContentCachingResponseWrapper {
    /** Headers that filters before us set anew for each request. */
    private final Set<String> before = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    private boolean failed;

    KeptResponse(HttpServletResponse response) {
        super(response);
        before.addAll(response.getHeaderNames());
    }

    @Override
    public void sendError(int status) throws IOException {
        failed = true;
        super.sendError(status);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        failed = true;
        super.sendError(status, message);
    }

    IdempotentRequests.Worked worked() {
        List<Answer.Header> headers = new ArrayList<>();
        @Nullable String type = getContentType();
        if (type != null) {
            headers.add(new Answer.Header("Content-Type", type));
        }
        for (String name : new TreeSet<>(getHeaderNames())) {
            if (!before.contains(name) && !name.equalsIgnoreCase("Content-Type") && IdempotentRequests.keeps(name)) {
                getHeaders(name).forEach(value -> headers.add(new Answer.Header(name, value)));
            }
        }
        return new IdempotentRequests.Worked(new Answer(getStatus(), headers, getContentAsByteArray()), failed);
    }
}
