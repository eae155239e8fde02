// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.operator;

import dev.interlock.flashsale.serve.audit.Audit;
import dev.interlock.flashsale.serve.limit.UserLimit;
import dev.interlock.flashsale.serve.web.Input;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Limits for operators: what a user has left, and forgetting what he used. */
@RestController
@RequestMapping(path = "/api/operator/limits", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "operator", description = "For operators")
final class LimitController {
    private final UserLimit limit;
    private final Audit audit;

    /**
     * A limit.
     *
     * @param name its name
     * @param policy the rule for people
     * @param allowed requests that passed, of this process since its start
     * @param denied requests that were told 429
     */
    record LimitView(String name, String policy, long allowed, long denied) {}

    /**
     * What a user has left.
     *
     * @param user who
     * @param remaining requests left now
     * @param retryAfterMillis milliseconds until the next would be allowed; 0 if it is now
     */
    record UserView(String user, long remaining, long retryAfterMillis) {}

    /**
     * Body of a reset.
     *
     * @param user whose use is forgotten
     * @param reason why, 1 to 200 characters
     */
    record ResetRequest(
            @Nullable String user, @Nullable String reason) {}

    LimitController(UserLimit limit, Audit audit) {
        this.limit = limit;
        this.audit = audit;
    }

    @GetMapping
    @Operation(summary = "All limits")
    Mono<List<LimitView>> list() {
        return Mono.just(List.of(new LimitView(UserLimit.NAME, limit.policy(), limit.allowed(), limit.denied())));
    }

    @GetMapping("/" + UserLimit.NAME)
    @Operation(summary = "What a user has left")
    Mono<UserView> show(@RequestParam String user) {
        String checked = Input.text("user", user, Input.MAX_NAME);
        return limit.limiter().reactive().peek(checked, 1).map(decision -> new UserView(
                checked, decision.remaining(), decision.retryAfter().toMillis()));
    }

    @PostMapping(path = "/" + UserLimit.NAME + "/reset", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(summary = "Forgets what a user has used")
    Mono<UserView> reset(@RequestBody ResetRequest request, Principal operator) {
        String user = Input.text("user", request.user(), Input.MAX_NAME);
        String reason = Input.text("reason", request.reason(), Input.MAX_REASON);
        return audit.record(operator.getName(), "reset-limit", "user " + user, reason)
                .then(Mono.defer(() -> limit.limiter().reactive().reset(user)))
                .then(Mono.defer(() -> show(user)));
    }
}
