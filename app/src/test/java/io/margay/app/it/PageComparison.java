package io.margay.app.it;

import io.margay.app.it.PageList.Page;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Where two servers answer the requests of a list differently. Stateless.
final class PageComparison {
    private static final int REQUESTS_AT_ONCE = 4;

    private PageComparison() {}

    /// Where the answers part, by request. Requests of one jar are made in order.
    static Map<String, String> differences(PageList list, AskedServer one, AskedServer other)
            throws Exception {
        Map<String, List<Page>> series = new LinkedHashMap<>();
        for (Page page : list.pages()) {
            String name = page.jar == null ? "page " + series.size() : "jar " + page.jar;
            series.computeIfAbsent(name, key -> new ArrayList<>()).add(page);
        }
        Map<String, String> differences = new TreeMap<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(REQUESTS_AT_ONCE)) {
            List<Future<Map<String, String>>> compared = new ArrayList<>();
            for (List<Page> pages : series.values()) {
                compared.add(executor.submit(() -> compare(pages, one, other)));
            }
            for (Future<Map<String, String>> each : compared) {
                differences.putAll(each.get());
            }
        }
        return differences;
    }

    private static Map<String, String> compare(List<Page> pages, AskedServer one, AskedServer other)
            throws InterruptedException, ExecutionException {
        Map<String, String> differences = new TreeMap<>();
        for (Page page : pages) {
            Future<String> first = one.ask(page);
            Future<String> second = other.ask(page);
            String expected = first.get();
            String actual = second.get();
            if (!expected.equals(actual)) {
                differences.put(page.toString(), firstDifference(expected, actual));
            }
        }
        return differences;
    }

    private static String firstDifference(String expected, String actual) {
        List<String> a = List.of(expected.split("\n", -1));
        List<String> b = List.of(actual.split("\n", -1));
        int i = 0;
        while (i < a.size() && i < b.size() && a.get(i).equals(b.get(i))) {
            i++;
        }
        return "\n  Tomcat: "
                + (i < a.size() ? a.get(i) : "(ends)")
                + "\n  Margay: "
                + (i < b.size() ? b.get(i) : "(ends)");
    }
}
