package io.margay.app.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Holds sources to rooms that a reader can overlook. Most packages and files are small, which
/// their median and the size that nine of ten stay below show; no package has more than 25 files,
/// but for those named here with the reason. Whoever has split one takes it out.
final class RoomsTest {
    private static final int FILES_MAX = 25;
    private static final Pattern SOURCE =
            Pattern.compile("((?:[a-z-]+/)?[a-z-]+)/src/(main|test)/java/(.*)/([^/]+)\\.java");

    /// Main sources and those of tests, each with its limits.
    private enum Kind {
        MAIN("main", 600, Map.of(), new Sizes(8, 24), new Sizes(110, 300)),
        TEST(
                "test",
                800,
                Map.of(
                        "app io.margay.app",
                                "what the whole server does, and what such tests share",
                        "app io.margay.app.it", "processes, which share how these are started",
                        "app io.margay.app.sample", "the servlets and filters of tests, one each",
                        "app io.margay.app.agreement.member", "members beside httpd, one rig",
                        "gateway io.margay.gateway.proxy", "the gateway as a whole, one rig",
                        "server io.margay.server", "the server as a whole, over each transport",
                        "transport io.margay.transport", "the contract of all transports"),
                new Sizes(5, 15),
                new Sizes(140, 350));

        private final String folder;
        private final int linesMax;
        private final Map<String, String> reasons;
        private final Sizes packages;
        private final Sizes files;

        Kind(
                String folder,
                int linesMax,
                Map<String, String> reasons,
                Sizes packages,
                Sizes files) {
            this.folder = folder;
            this.linesMax = linesMax;
            this.reasons = reasons;
            this.packages = packages;
            this.files = files;
        }
    }

    /// How large most are, at most.
    ///
    /// @param tenth what nine of ten do not exceed
    private record Sizes(int median, int tenth) {
        static Sizes of(Collection<Integer> sizes) {
            List<Integer> sorted = sizes.stream().sorted().toList();
            int last = sorted.size() - 1;
            return new Sizes(sorted.get(last / 2), sorted.get(last * 9 / 10));
        }

        boolean isWithin(Sizes most) {
            return median <= most.median && tenth <= most.tenth;
        }
    }

    private static final SortedMap<String, String> TEXTS = SourceTree.texts();

    private final Map<String, Integer> filesByPackage = new TreeMap<>();
    private final Map<String, Integer> linesByFile = new TreeMap<>();

    private void count(Kind kind) {
        TEXTS.forEach((path, text) -> {
            Matcher source = SOURCE.matcher(path);
            if (source.matches()
                    && source.group(2).equals(kind.folder)
                    && !path.startsWith("examples/")
                    && !source.group(4).endsWith("-info")) {
                String module = source.group(1).replaceAll(".*/", "");
                String name = source.group(3).replace('/', '.');
                filesByPackage.merge(module + " " + name, 1, Integer::sum);
                linesByFile.put(path, (int) text.lines().count());
            }
        });
    }

    private static Set<String> above(int most, Map<String, Integer> counts) {
        Set<String> above = new TreeSet<>();
        counts.forEach((name, count) -> {
            if (count > most) {
                above.add(name);
            }
        });
        return above;
    }

    @ParameterizedTest
    @EnumSource
    void packages_haveNoMoreFilesThanOneCanOverlook_butThoseWithAReason(Kind kind) {
        count(kind);
        assertEquals(new TreeSet<>(kind.reasons.keySet()), above(FILES_MAX, filesByPackage));
    }

    @ParameterizedTest
    @EnumSource
    void files_haveNoMoreLinesThanOneCanOverlook(Kind kind) {
        count(kind);
        assertEquals(Set.of(), above(kind.linesMax, linesByFile));
    }

    @ParameterizedTest
    @EnumSource
    void mostPackagesAndFiles_areSmall(Kind kind) {
        count(kind);
        Sizes packages = Sizes.of(filesByPackage.values());
        Sizes files = Sizes.of(linesByFile.values());
        assertTrue(packages.isWithin(kind.packages), () -> "packages: " + packages);
        assertTrue(files.isWithin(kind.files), () -> "files: " + files);
    }
}
