// SPDX-License-Identifier: Apache-2.0
package dev.interlock.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.interlock.Interlock;
import dev.interlock.lock.Lease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page as people use it. */
class PageIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final LocatorAssertions.ContainsTextOptions SOON =
            new LocatorAssertions.ContainsTextOptions().setTimeout(PATIENCE.toMillis());
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final Pattern A_NUMBER = Pattern.compile("[1-9]");

    @TempDir
    private static Path folder;

    private static ServiceProcess service;
    private static Browsers browsers;

    private final List<String> complaints = new ArrayList<>();
    private BrowserContext context;
    private Page page;

    @BeforeAll
    static void startAll() {
        service = new ServiceProcess(folder);
        browsers = new Browsers();
    }

    @AfterAll
    static void stopAll() {
        browsers.close();
        service.close();
    }

    @BeforeEach
    void open() {
        open(1280, 900, ColorScheme.LIGHT);
    }

    private void open(int width, int height, ColorScheme scheme) {
        if (context != null) {
            context.close();
        }
        context = browsers.browser()
                .newContext(new Browser.NewContextOptions()
                        .setViewportSize(width, height)
                        .setColorScheme(scheme));
        page = context.newPage();
        page.setDefaultTimeout(PATIENCE.toMillis());
        page.onConsoleMessage(message -> {
            // The browser itself notes each answer of 401; the page says it in its own words.
            if (List.of("error", "warning").contains(message.type())
                    && !message.text().contains("401")) {
                complaints.add(message.type() + ": " + message.text());
            }
        });
        page.onPageError(error -> complaints.add("uncaught: " + error));
        page.onRequestFailed(request -> {
            if (!request.url().endsWith("/api/live")) {
                complaints.add("failed: " + request.url());
            }
        });
        page.navigate(service.url());
    }

    @AfterEach
    void nothingIsWrongInTheConsole() {
        context.close();
        assertThat(complaints).isEmpty();
    }

    private void logIn() {
        page.getByLabel("Password").fill(ServiceProcess.PASSWORD);
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Log in"))
                .click();
        assertThat(page.locator("#message")).containsText("You are logged in", SOON);
        assertThat(page.locator("#connection")).containsText("live", SOON);
    }

    private void createCampaign(String name, long units) {
        page.getByLabel("New campaign").fill(name);
        page.getByLabel("Units", new Page.GetByLabelOptions().setExact(true)).fill(Long.toString(units));
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Create"))
                .click();
        assertThat(page.locator("#campaigns")).containsText(name, SOON);
    }

    private Locator row(String table, String text) {
        return page.locator("#" + table + " tbody tr").filter(new Locator.FilterOptions().setHasText(text));
    }

    private static Locator cell(Locator row, String column) {
        return row.locator("td[data-label='" + column + "']");
    }

    private void rush(long requests) {
        page.getByLabel("Requests").fill(Long.toString(requests));
        page.getByLabel("Users", new Page.GetByLabelOptions().setExact(true)).fill(Long.toString(requests));
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Start rush"))
                .click();
        assertThat(page.locator("#message")).containsText("has begun", SOON);
    }

    @Test
    void onlyOperatorsSeeTheLiveDataUnlessItIsADemo() {
        assertThat(page.locator("#connection")).containsText("log in to see live data", SOON);
        page.getByLabel("Password").fill("wrong");
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Log in"))
                .click();
        assertThat(page.locator("#message")).containsText("credentials are missing or wrong", SOON);
        assertThat(page.locator("#operator-tools")).isHidden();
    }

    @Test
    void chartsMoveDuringARushAndItsEndIsExact() {
        logIn();
        createCampaign("Chart sale", 500);
        rush(300_000);
        Locator chart = page.locator("#chart-decisions");
        int before = Integer.parseInt(chart.getAttribute("data-points"));
        byte[] still = chart.locator("canvas").screenshot();
        assertThat(page.locator("#figure-rate")).containsText(A_NUMBER, SOON);
        assertThat(page.locator("#figure-p99")).containsText(A_NUMBER, SOON);
        assertThat(page.locator("#rush-state"))
                .containsText("done, 300,000 of 300,000 requests answered, 500 units", SOON);
        await().atMost(PATIENCE).until(() -> Integer.parseInt(chart.getAttribute("data-points")) > before);
        assertThat(chart.locator("canvas").screenshot()).isNotEqualTo(still);
        Locator row = row("campaigns", "Chart sale");
        assertThat(cell(row, "Left")).containsText("0", SOON);
        assertThat(cell(row, "State")).containsText("sold out", SOON);
        assertThat(cell(row, "Lag")).hasText("0");
        assertThat(cell(row, "In the database")).containsText("500", SOON);
        assertThat(row("scripts", "pool/issue")).containsText("pool/issue", SOON);
        page.screenshot(new Page.ScreenshotOptions().setFullPage(true).setPath(SCREENSHOTS.resolve("rush-light.png")));
    }

    @Test
    void aRushCanBeStopped() {
        logIn();
        createCampaign("Stopped sale", 900_000);
        page.locator("#rush-campaign")
                .selectOption(page.locator("#rush-campaign option")
                        .filter(new Locator.FilterOptions().setHasText("Stopped sale"))
                        .first()
                        .getAttribute("value"));
        rush(1_000_000);
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Stop"))
                .click();
        assertThat(page.locator("#rush-state")).containsText("stopped", SOON);
        assertThat(page.locator("#rush-start")).isEnabled();
    }

    @Test
    void aLockAndItsWaitersAppearAndForceReleaseHandsItOn() {
        logIn();
        try (Interlock one = Interlock.connect(service.redis());
                Interlock two = Interlock.connect(service.redis())) {
            Lease held = one.lock("report").tryAcquire().orElseThrow();
            CompletableFuture<Lease> waiting =
                    two.lock("report").async().acquire(Duration.ofMinutes(1)).toCompletableFuture();
            Locator row = row("locks", "report");
            assertThat(cell(row, "Waiting processes")).containsText("1", SOON);
            assertThat(cell(row, "Holder"))
                    .containsText("process " + ProcessHandle.current().pid(), SOON);
            assertThat(cell(row, "Fence")).containsText(Long.toString(held.fence()), SOON);

            row.getByRole(AriaRole.BUTTON).click();
            assertThat(page.locator("#release-name")).hasText("report");
            page.getByLabel("Reason").fill("it hangs");
            page.getByRole(
                            AriaRole.BUTTON,
                            new Page.GetByRoleOptions().setName("Force release").setExact(true))
                    .click();
            assertThat(page.locator("#message")).containsText("The lock report was taken away", SOON);

            Lease next = waiting.join();
            assertThat(held.isValid()).isFalse();
            assertThat(next.fence()).isGreaterThan(held.fence());
            assertThat(cell(row, "Fence")).containsText(Long.toString(next.fence()), SOON);
            next.close();
            assertThat(page.locator("#locks")).containsText("Nobody holds a lock", SOON);
        }
    }

    @Test
    void forceReleaseCanBeCancelledByKeyboard() {
        logIn();
        try (Interlock one = Interlock.connect(service.redis())) {
            Lease held = one.lock("kept").tryAcquire().orElseThrow();
            row("locks", "kept").getByRole(AriaRole.BUTTON).focus();
            page.keyboard().press("Enter");
            assertThat(page.locator("#release")).isVisible();
            page.keyboard().press("Escape");
            assertThat(page.locator("#release")).isHidden();
            assertThat(held.release()).isNotNull();
        }
    }

    @Test
    void theKeyboardAloneLogsIn() {
        page.keyboard().press("Tab");
        assertThat(page.locator(".skip")).isFocused();
        page.locator("#operator-password").focus();
        page.keyboard().type(ServiceProcess.PASSWORD);
        page.keyboard().press("Enter");
        assertThat(page.locator("#message")).containsText("You are logged in", SOON);
    }

    @ParameterizedTest
    @CsvSource({"360, 740, LIGHT", "360, 740, DARK", "1280, 900, LIGHT", "1280, 900, DARK"})
    void everyTextCanBeReadAndNothingIsCutOff(int width, int height, ColorScheme scheme) {
        open(width, height, scheme);
        logIn();
        createCampaign("Readable sale", 5);
        try (Interlock one = Interlock.connect(service.redis())) {
            Lease held = one.lock("readable-lock").tryAcquire().orElseThrow();
            assertThat(row("locks", "readable-lock")).containsText("readable-lock", SOON);
            assertThat(new AxeBuilder(page)
                            .withTags(List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa"))
                            .analyze()
                            .getViolations())
                    .extracting(violation -> violation.getId() + " " + violation.getNodes())
                    .isEmpty();
            Object overflow =
                    page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth");
            assertThat(overflow).isEqualTo(0);
            String background = (String) page.evaluate("getComputedStyle(document.body).backgroundColor");
            assertThat(background).isEqualTo(scheme == ColorScheme.DARK ? "rgb(16, 21, 28)" : "rgb(255, 255, 255)");
            page.screenshot(new Page.ScreenshotOptions()
                    .setFullPage(true)
                    .setPath(SCREENSHOTS.resolve(
                            "page-" + width + "-" + scheme.name().toLowerCase() + ".png")));
            held.close();
        }
    }

    @Test
    void theChosenColoursAreKept() {
        page.getByLabel("Colours").selectOption("dark");
        page.reload();
        assertThat(page.locator("#theme")).hasValue("dark");
        assertThat(page.evaluate("getComputedStyle(document.body).backgroundColor"))
                .isEqualTo("rgb(16, 21, 28)");
    }
}
