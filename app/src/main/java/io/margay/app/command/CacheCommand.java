package io.margay.app.command;

import io.margay.app.cli.Arguments;
import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.cli.UsageException;
import io.margay.app.config.StartException;
import io.margay.app.startcache.CacheKind;
import io.margay.app.startcache.StartCache;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// `margay cache`: makes the cache for faster starts now, as for the image of a container, in which
/// every start would be a first one.
final class CacheCommand {
    static final Command COMMAND =
            new Command(
                    "cache",
                    "makes the cache for faster starts",
                    "",
                    List.of(
                            Command.paragraph(
                                    """
                                    Otherwise the first start creates it, in a second process that
                                    takes some seconds and up to 450 MB. The cache is for this JDK,
                                    these libraries and these JVM options: build an image with the
                                    MARGAY_JAVA_OPTS that it runs with. If only one of the two
                                    machines has more than two processors, name the collector, as in
                                    MARGAY_JAVA_OPTS=-XX:+UseSerialGC.
                                    """)),
                    List.of(
                            Option.of(
                                    "--kind",
                                    "NAME",
                                    "Only the cache of this kind of server: applications (HTTP/1.1"
                                            + " alone), gateway (no applications), or both, which"
                                            + " serves each of them. Default: all three."),
                            Option.HELP),
                    List.of(
                            new Example(
                                    "margay cache",
                                    "In a Dockerfile: RUN margay cache, by a user who may write"
                                            + " into the distribution.")));

    private CacheCommand() {}

    static int run(Arguments arguments, PrintStream out) throws UsageException {
        Optional<String> name =
                arguments.choice(
                        "--kind", Stream.of(CacheKind.values()).map(CacheKind::toString).toList());
        List<CacheKind> kinds =
                name.flatMap(CacheKind::named).map(List::of).orElse(List.of(CacheKind.values()));
        StartCache cache = StartCache.wanted(CacheTraining.class);
        if (cache == null) {
            String used = System.getProperty("margay.cache.used");
            if (used != null) {
                out.println("the cache is there: " + used);
                return ExitCode.DONE;
            }
            throw new StartException(
                    "no cache can be made: MARGAY_NO_CACHE is set, options of the JVM name one,"
                            + " or there is no folder for it that can be written"
                            + " (MARGAY_CACHE_DIR)");
        }
        for (CacheKind kind : kinds) {
            StartCache one = cache.of(kind);
            out.println(
                    one.isMade() ? "the cache is there: " + one.file() : "made " + one.makeNow());
        }
        return ExitCode.DONE;
    }
}
