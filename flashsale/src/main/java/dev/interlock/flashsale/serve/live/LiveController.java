// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

/** Tells everybody who listens, once a second, how it goes. */
@RestController
@Tag(name = "live", description = "What the page shows")
final class LiveController {
    private final LiveFeed feed;

    LiveController(LiveFeed feed) {
        this.feed = feed;
    }

    @GetMapping(path = "/api/live", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Operation(summary = "Server-Sent Events named \"live\", one a second; each is a LiveView")
    Flux<ServerSentEvent<LiveView>> live() {
        return feed.views().map(view -> ServerSentEvent.builder(view)
                .event("live")
                .id(Long.toString(view.at().toEpochMilli()))
                .build());
    }
}
