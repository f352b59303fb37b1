package io.margay.lab.preset;

import io.margay.lab.finding.Findings;
import io.margay.lab.load.LoadJob;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RunResult;
import java.util.ArrayList;
import java.util.List;

/// Static files of httpd and Tomcat: threads times sockets, a small page and one with 66 images, a
/// strong and a weak client (published 2004).
record StaticPages() implements Preset {
    private static final List<Integer> THREADS = List.of(1, 2, 4, 8, 16);
    private static final List<Integer> SOCKETS = List.of(2, 4);
    private static final String HTTPD = "httpd:files";
    private static final double WEAK_PER_SECOND = 400;
    private static final long WEAK_MILLIS = 20_000;

    private static final List<String> SERVERS =
            Servers.all(
                    List.of(HTTPD, Servers.TOMCAT),
                    Servers.MARGAY,
                    List.of("nginx:files", "jetty:pool", "undertow"));

    /// Those that are measured with every number of threads and sockets.
    private static final List<String> MATRIX_SERVERS =
            List.of(HTTPD, Servers.TOMCAT, Servers.MARGAY.getFirst(), "nginx:files");

    @Override
    public String name() {
        return "static-pages";
    }

    @Override
    public String title() {
        return "static files: a small page, and a page with 66 images";
    }

    @Override
    public Then then() {
        return new Then(
                List.of("requests/s (CPU)", "httpd 2.0", "Tomcat 5"),
                List.of(
                        List.of("small page, strong client", "520 (100 %)", "730 (100 %)"),
                        List.of("66 images, strong client", "504 (100 %)", "705 (100 %)"),
                        List.of("small page, weak client", "416 (70 %)", "402 (55 %)"),
                        List.of("66 images, weak client", "400 (80 %)", "388 (50 %)")),
                "Pentium 4 at 1.8 GHz, Windows, about 2004; 1 to 16 threads with 2 or 4 sockets"
                        + " each; the numbers of threads and sockets changed nothing.");
    }

    @Override
    public List<Scenario> scenarios() {
        List<Scenario> all = new ArrayList<>();
        for (Page page : List.of(Page.SMALL, Page.GALLERY)) {
            for (int sockets : SOCKETS) {
                for (int threads : THREADS) {
                    all.add(strong(page, threads, sockets));
                }
            }
            all.add(weak(page));
        }
        return List.copyOf(all);
    }

    private static Scenario strong(Page page, int threads, int sockets) {
        return Scenario.of(
                        word(page) + "-" + threads + "x" + sockets,
                        LoadJob.pages(threads, sockets),
                        page,
                        threads == 8 && sockets == 2 ? SERVERS : MATRIX_SERVERS,
                        HTTPD)
                .withTitle(page.title() + ", " + threads + " threads × " + sockets + " sockets")
                .withQuick(threads == 8 && sockets == 2);
    }

    /// A client that cannot ask faster; the servers are not at their limit.
    private static Scenario weak(Page page) {
        return Scenario.of(
                        word(page) + "-weak",
                        LoadJob.rate(WEAK_PER_SECOND, 16, false, true).lasting(0, WEAK_MILLIS, 0),
                        page,
                        SERVERS,
                        HTTPD)
                .withTitle(page.title() + ", a client that asks 400 times a second")
                .withQuick(false);
    }

    private static String word(Page page) {
        return page.images() ? "images" : "small";
    }

    @Override
    public boolean isMain(String scenario) {
        return scenario.endsWith("-8x2");
    }

    @Override
    public List<String> why(RunResult result) {
        return new Findings(result)
                .verdict(
                        "small-8x2", Servers.TOMCAT, HTTPD, Metric.THROUGHPUT, "Published: 1.40 ×.")
                .verdict(
                        "images-8x2",
                        Servers.TOMCAT,
                        HTTPD,
                        Metric.THROUGHPUT,
                        "Published: 1.40 ×.")
                .verdict("small-weak", Servers.TOMCAT, HTTPD, Metric.CPU, "Published: 0.81 ×.")
                .because("small-8x2", Servers.TOMCAT, HTTPD)
                .because("images-8x2", Servers.TOMCAT, HTTPD)
                .because("small-8x2", Servers.MARGAY.getFirst(), "nginx:files")
                .because("images-8x2", Servers.MARGAY.getFirst(), "nginx:files")
                .kernelShare("small-8x2")
                .spread("small-", Servers.TOMCAT, HTTPD)
                .spread("images-", Servers.TOMCAT, HTTPD)
                .sentences();
    }
}
