package io.margay.app.command;

import io.margay.app.cli.Command;
import io.margay.app.cli.Command.Example;
import io.margay.app.cli.Option;
import io.margay.app.config.StartException;
import io.margay.app.startcache.StartCache;
import java.io.PrintStream;
import java.util.List;

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
                    List.of(Option.HELP),
                    List.of(
                            new Example(
                                    "margay cache",
                                    "In a Dockerfile: RUN margay cache, by a user who may write"
                                            + " into the distribution.")));

    private CacheCommand() {}

    static int run(PrintStream out) {
        StartCache cache = StartCache.wanted(CacheTraining.class);
        if (cache == null) {
            if (System.getProperty("margay.cache.used") != null) {
                out.println("the cache is there: " + System.getProperty("margay.cache.used"));
                return ExitCode.DONE;
            }
            throw new StartException(
                    "no cache can be made: MARGAY_NO_CACHE is set, options of the JVM name one,"
                            + " or there is no folder for it that can be written"
                            + " (MARGAY_CACHE_DIR)");
        }
        out.println("made " + cache.makeNow());
        return ExitCode.DONE;
    }
}
