// SPDX-License-Identifier: Apache-2.0
package dev.interlock.spring.autoconfigure;

import dev.interlock.doctor.Diagnosis;
import java.util.List;
import java.util.stream.Collectors;

/** The servers are not set up for what is decided on them, and the application shall not start on such ones. */
final class FailedChecksException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Diagnosis> findings;

    FailedChecksException(List<Diagnosis> findings) {
        super(findings.stream().map(Diagnosis::toString).collect(Collectors.joining("\n")));
        this.findings = List.copyOf(findings);
    }

    /** What to do. */
    String mends() {
        return findings.stream().map(Diagnosis::mend).distinct().collect(Collectors.joining("\n"));
    }
}
