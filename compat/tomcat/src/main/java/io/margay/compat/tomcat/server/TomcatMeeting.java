package io.margay.compat.tomcat.server;

import io.margay.compat.account.Meeting;
import io.margay.compat.account.Place;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Which files of a `CATALINA_BASE` a request meets: those of the server, and those of the
/// application of its path. Immutable.
final class TomcatMeeting implements Meeting {
    private static final System.Logger LOG = System.getLogger(TomcatMeeting.class.getName());

    /// `conf/ENGINE/HOST/NAME.xml`, and what is in the folder of an application.
    private static final Pattern DESCRIPTOR =
            Pattern.compile("(?:^|.*/)conf/[^/]+/[^/]+/([^/]+)\\.xml$");

    private static final Pattern APPLICATION =
            Pattern.compile("(?:^|.*/)webapps/([^/]+?)(?:\\.war)?(?:/.*|!.*|$)");

    /// About the process, and not about requests.
    private static final Pattern OF_PROCESS =
            Pattern.compile(
                    ".*(?:setenv\\.(?:sh|bat)|catalina\\.properties|logging\\.properties)$");

    /// The application of each place that requests can meet.
    private final Map<Place, String> places = new HashMap<>();

    private final Set<String> contexts = new HashSet<>();

    /// @param places the lines of the account
    /// @param folders of applications: most have no file that the account names
    TomcatMeeting(List<Place> places, List<Path> folders) {
        for (Place place : places) {
            String context = context(place);
            contexts.add(context);
            if (isOfRequests(place)) {
                this.places.put(place, context);
            }
        }
        for (Path folder : folders) {
            try (DirectoryStream<Path> applications = Files.newDirectoryStream(folder)) {
                for (Path one : applications) {
                    String name = String.valueOf(one.getFileName());
                    if (name.endsWith(".war") || Files.isDirectory(one)) {
                        contexts.add(path(name.replaceFirst("\\.war$", "")));
                    }
                }
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "no applications in {0}: {1}", folder, e);
            }
        }
    }

    /// The path of the application that a file belongs to; `*` = of all.
    private static String context(Place place) {
        String file = place.file().replace('\\', '/');
        for (Pattern pattern : List.of(DESCRIPTOR, APPLICATION)) {
            Matcher fits = pattern.matcher(file);
            boolean shared =
                    file.endsWith("context.xml.default") || file.endsWith("/web.xml.default");
            if (fits.matches() && !shared) {
                return path(fits.group(1));
            }
        }
        return "*";
    }

    /// @param base name of an application's file or folder
    private static String path(String base) {
        String name = base.replaceFirst("##.*", "").replace('#', '/');
        return name.equals("ROOT") ? "" : "/" + name.replaceFirst("^ROOT/", "");
    }

    @Override
    public boolean isOfRequests(Place place) {
        return !OF_PROCESS.matcher(place.file()).matches();
    }

    @Override
    public Set<Place> of(String host, String path) {
        String own = "";
        for (String context : contexts) {
            boolean fits = path.equals(context) || path.startsWith(context + "/");
            if (fits && context.length() > own.length()) {
                own = context;
            }
        }
        String mine = own;
        Set<Place> met = new HashSet<>();
        places.forEach((place, of) -> {
            if (of.equals("*") || of.equals(mine)) {
                met.add(place);
            }
        });
        return met;
    }

    @Override
    public List<Example> examples() {
        List<Example> examples = new ArrayList<>(List.of(new Example("", "/")));
        contexts.stream()
                .filter(context -> context.matches("/[!-~&&[^?#]]*"))
                .sorted()
                .forEach(context -> examples.add(new Example("", context + "/")));
        return examples;
    }
}
