// SPDX-License-Identifier: Apache-2.0
package dev.interlock.benchmarks;

import dev.interlock.benchmarks.Trials.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;

/** The table, ratios first, and the picture of one case. */
final class Report {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 420;

    private Report() {}

    static String table(String title, Map<String, List<Trial>> results) {
        StringBuilder out = new StringBuilder("### ").append(title).append("\n\n");
        out.append(
                "| way | ratio | per second (min–max) | p50 ms | p99 ms | p99.9 ms | Redis commands/op | Redis µs/op |"
                        + " JVM µs/op | seen |\n|---|---|---|---|---|---|---|---|---|---|\n");
        double first = 0;
        for (Map.Entry<String, List<Trial>> way : results.entrySet()) {
            List<Trial> trials = way.getValue();
            double perSecond = median(trials, trial -> trial.measurement().perSecond());
            first = first == 0 ? perSecond : first;
            out.append(String.format(
                    Locale.ROOT,
                    "| %s | %.2f × | %,.0f (%,.0f–%,.0f) | %s | %s | %s | %.2f | %.2f | %.2f | %s |%n",
                    way.getKey(),
                    perSecond / first,
                    perSecond,
                    trials.stream()
                            .mapToDouble(t -> t.measurement().perSecond())
                            .min()
                            .orElse(0),
                    trials.stream()
                            .mapToDouble(t -> t.measurement().perSecond())
                            .max()
                            .orElse(0),
                    latency(trials, 50),
                    latency(trials, 99),
                    latency(trials, 99.9),
                    median(trials, Trial::commands),
                    median(trials, Trial::redisMicros),
                    median(trials, Trial::jvmMicros),
                    trials.get(trials.size() - 1).measurement().remark()));
        }
        return out.append('\n').toString();
    }

    private static String latency(List<Trial> trials, double percentile) {
        double nanos = median(trials, trial -> trial.measurement().latency().getValueAtPercentile(percentile));
        return nanos == 0 ? "–" : String.format(Locale.ROOT, "%.2f", nanos / 1e6);
    }

    private static double median(Collection<Trial> trials, ToDoubleFunction<Trial> value) {
        double[] sorted = trials.stream().mapToDouble(value).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    static void picture(Path file, String title, Map<String, List<Trial>> results) throws IOException {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .yAxisTitle("per second")
                .build();
        chart.getStyler().setLegendVisible(false);
        chart.getStyler().setLabelsVisible(true);
        List<Double> medians = new ArrayList<>();
        results.values()
                .forEach(trials ->
                        medians.add(median(trials, t -> t.measurement().perSecond())));
        chart.addSeries("per second", List.copyOf(results.keySet()), medians);
        Files.createDirectories(file.toAbsolutePath().getParent());
        VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
    }
}
