package io.margay.compat.httpd.syntax;

import io.margay.compat.account.Meeting;
import io.margay.compat.account.Place;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.regex.BoundedRegex;
import io.margay.server.exchange.UndecidedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which lines of an `httpd.conf` a request meets: those of the server and of its virtual host, of
/// the sections that its path or file falls into, and those that name its path. Confined to one
/// thread.
public final class HttpdMeeting implements Meeting {
    /// What is about the server as a whole.
    private static final Set<String> OF_PROCESS =
            Set.of(
                    "loadmodule",
                    "loadfile",
                    "listen",
                    "user",
                    "group",
                    "pidfile",
                    "serverroot",
                    "startservers",
                    "minspareservers",
                    "maxspareservers",
                    "minsparethreads",
                    "maxsparethreads",
                    "threadlimit",
                    "threadsperchild",
                    "serverlimit",
                    "maxrequestworkers",
                    "maxclients",
                    "maxconnectionsperchild",
                    "maxrequestsperchild",
                    "mutex",
                    "include",
                    "includeoptional",
                    "define",
                    "undefine",
                    "coredumpdirectory",
                    "jkworkersfile",
                    "jklogfile",
                    "jkshmfile",
                    "loglevel",
                    "jkloglevel");

    /// What holds for a path and all below it.
    private static final Set<String> PREFIX =
            Set.of(
                    "proxypass",
                    "proxypassreverse",
                    "alias",
                    "scriptalias",
                    "redirect",
                    "redirectpermanent",
                    "redirecttemp");

    private static final Set<String> REGEX =
            Set.of("proxypassmatch", "aliasmatch", "scriptaliasmatch", "redirectmatch");

    private static final int ANY_PORT = 0;

    private final List<HttpdNode> nodes;
    private final int port;
    private final Set<Place> ofRequests = new HashSet<>();
    private final Map<String, BoundedRegex> expressions = new HashMap<>();

    public HttpdMeeting(List<HttpdNode> nodes) {
        this(nodes, ANY_PORT);
    }

    private HttpdMeeting(List<HttpdNode> nodes, int port) {
        this.port = port;
        this.nodes = List.copyOf(nodes);
        collect(nodes);
    }

    @Override
    public Meeting at(int number) {
        return new HttpdMeeting(nodes, number);
    }

    private List<HttpdNode> hosts() {
        List<HttpdNode> all =
                flat(nodes).stream().filter(one -> one.key().equals("virtualhost")).toList();
        List<HttpdNode> there =
                all.stream()
                        .filter(one ->
                                one.arguments().stream().anyMatch(at -> at.endsWith(":" + port)))
                        .toList();
        return there.isEmpty() ? all : there;
    }

    private void collect(List<HttpdNode> all) {
        for (HttpdNode node : all) {
            if (!OF_PROCESS.contains(node.key())) {
                ofRequests.add(node.place());
            }
            collect(node.children());
        }
    }

    @Override
    public boolean isOfRequests(Place place) {
        return ofRequests.contains(place);
    }

    @Override
    public Set<Place> of(String host, String path) {
        HttpdNode virtual = host(host);
        Set<Place> met = new HashSet<>();
        List<HttpdNode> proxies = new ArrayList<>();
        String file = file(virtual, path);
        walk(nodes, virtual, path, file, met, proxies);
        proxies(proxies, met);
        return met;
    }

    /// Sections without a condition on requests.
    private static List<HttpdNode> flat(List<HttpdNode> nodes) {
        List<HttpdNode> all = new ArrayList<>();
        for (HttpdNode node : nodes) {
            if (node.section() && node.key().matches("ifmodule|ifdefine|ifversion|iffile")) {
                all.addAll(flat(node.children()));
            } else {
                all.add(node);
            }
        }
        return all;
    }

    private @Nullable HttpdNode host(String host) {
        HttpdNode first = null;
        for (HttpdNode node : hosts()) {
            first = first == null ? node : first;
            for (HttpdNode name : flat(node.children())) {
                boolean names = name.key().equals("servername") || name.key().equals("serveralias");
                for (String each : names ? name.arguments() : List.<String>of()) {
                    String own = each.toLowerCase(Locale.ROOT).replaceFirst("^[a-z]+://", "");
                    if (glob(own.replaceFirst(":[0-9]+$", ""), host)) {
                        return node;
                    }
                }
            }
        }
        return first;
    }

    /// The file of a path, by `Alias` and `DocumentRoot`.
    private String file(@Nullable HttpdNode virtual, String path) {
        List<HttpdNode> all = new ArrayList<>(flat(nodes));
        if (virtual != null) {
            all.addAll(flat(virtual.children()));
        }
        String root = "";
        for (HttpdNode node : all) {
            if (node.key().equals("documentroot")) {
                root = node.argument(0);
            }
        }
        for (HttpdNode node : all) {
            if (node.key().endsWith("alias")
                    && !node.key().equals("serveralias")
                    && isBelow(node.argument(0), path)) {
                return node.argument(1) + path.substring(node.argument(0).length());
            }
        }
        return root + path;
    }

    private void walk(
            List<HttpdNode> all,
            @Nullable HttpdNode virtual,
            String path,
            String file,
            Set<Place> met,
            List<HttpdNode> proxies) {
        for (HttpdNode node : all) {
            boolean in = node.section() ? isIn(node, virtual, path, file) : meets(node, path);
            if (node.section() && node.key().startsWith("proxy")) {
                proxies.add(node);
            } else if (in) {
                met.add(node.place());
                walk(node.children(), virtual, path, file, met, proxies);
            }
        }
    }

    /// Sections of members, where a line that was met passes on to them.
    private void proxies(List<HttpdNode> proxies, Set<Place> met) {
        List<String> targets = new ArrayList<>();
        targets(nodes, met, targets);
        for (HttpdNode proxy : proxies) {
            String name = proxy.argument(0);
            boolean used =
                    targets.stream()
                            .anyMatch(target ->
                                    name.equals("*")
                                            || target.startsWith(name.replaceFirst("/$", "")));
            if (used) {
                met.add(proxy.place());
                proxy.children().forEach(child -> met.add(child.place()));
            }
        }
    }

    private static void targets(List<HttpdNode> all, Set<Place> met, List<String> targets) {
        for (HttpdNode node : all) {
            if (met.contains(node.place())) {
                node.arguments().stream().filter(one -> one.contains("://")).forEach(targets::add);
                targets(node.children(), met, targets);
            }
        }
    }

    private boolean isIn(HttpdNode section, @Nullable HttpdNode virtual, String path, String file) {
        String last = section.size() == 0 ? "" : section.arguments().getLast();
        boolean regex = section.size() > 1 && section.argument(0).equals("~");
        String name = file.substring(file.lastIndexOf('/') + 1);
        return switch (section.key()) {
            case "virtualhost" -> section.equals(virtual);
            case "location" -> regex ? finds(last, path) : within(last, path);
            case "locationmatch" -> finds(last, path);
            case "directory" -> regex ? finds(last, file) : within(last, file);
            case "directorymatch" -> finds(last, file);
            case "files" -> regex ? finds(last, name) : glob(last, name);
            case "filesmatch" -> finds(last, name);
            default -> true;
        };
    }

    private boolean meets(HttpdNode node, String path) {
        String key = node.key();
        if (OF_PROCESS.contains(key)) {
            return false;
        }
        String slashed =
                node.arguments().stream().filter(one -> one.startsWith("/")).findFirst().orElse("");
        if (PREFIX.contains(key)) {
            return slashed.isEmpty() || isBelow(slashed, path);
        }
        if (REGEX.contains(key)) {
            return node.arguments().stream().limit(2).anyMatch(one -> finds(one, path));
        }
        return switch (key) {
            case "jkmount", "jkunmount" ->
                    glob(node.argument(0), path)
                            || (node.argument(0).endsWith("/*|")
                                    && isBelow(node.argument(0).replace("/*|", ""), path))
                            || (node.argument(0).contains("|/*")
                                    && isBelow(node.argument(0).replace("|/*", ""), path));
            case "rewriterule" ->
                    node.argument(0).startsWith("!")
                            || finds(node.argument(0), path)
                            || finds(node.argument(0), path.replaceFirst("^/", ""));
            default -> true;
        };
    }

    /// Whether a path is that of a section, or below it; stars stand for anything but a slash.
    private boolean within(String section, String path) {
        if (section.indexOf('*') < 0 && section.indexOf('?') < 0) {
            return isBelow(section, path);
        }
        String regex =
                "^"
                        + quoted(section.replaceFirst("/$", ""))
                                .replace("\\*", "[^/]*")
                                .replace("\\?", "[^/]")
                        + "(?:/|$)";
        return finds(regex, path);
    }

    private static boolean isBelow(String prefix, String path) {
        return path.startsWith(prefix)
                && (prefix.endsWith("/")
                        || path.length() == prefix.length()
                        || path.charAt(prefix.length()) == '/');
    }

    private boolean glob(String pattern, String text) {
        return pattern.equals(text)
                || (pattern.matches(".*[*?].*")
                        && finds(
                                "^"
                                        + quoted(pattern).replace("\\*", ".*").replace("\\?", ".")
                                        + "$",
                                text));
    }

    private static String quoted(String text) {
        return text.replaceAll("([^A-Za-z0-9/_-])", "\\\\$1");
    }

    private boolean finds(String regex, String text) {
        BoundedRegex known = expressions.get(regex);
        if (known == null) {
            try {
                known = BoundedRegex.of(regex, false, RuleLimits.defaults());
            } catch (IllegalArgumentException e) {
                return false; // The account says so.
            }
            expressions.put(regex, known);
        }
        try {
            return known.find(text) != null;
        } catch (UndecidedException _) {
            return true; // Rather one line too many than no report.
        }
    }

    @Override
    public List<Example> examples() {
        List<Example> examples = new ArrayList<>();
        examples(nodes, "", examples);
        return examples.stream().distinct().toList();
    }

    private void examples(List<HttpdNode> all, String host, List<Example> examples) {
        for (HttpdNode node : flat(all)) {
            String key = node.key();
            String argument =
                    node.arguments().stream()
                            .filter(one -> one.startsWith("/"))
                            .findFirst()
                            .orElse("")
                            .replaceFirst("\\|?/\\*\\|?$", "/");
            boolean path = PREFIX.contains(key) || key.equals("location") || key.equals("jkmount");
            if (path && argument.matches("/[!-~&&[^?#*]]*")) {
                examples.add(new Example(host, argument));
            }
            if (key.equals("virtualhost") && hosts().contains(node)) {
                String name =
                        flat(node.children()).stream()
                                .filter(one -> one.key().equals("servername"))
                                .map(one -> one.argument(0).replaceFirst(":[0-9]+$", ""))
                                .filter(one -> one.matches("[A-Za-z0-9.-]+"))
                                .findFirst()
                                .orElse("");
                examples.add(new Example(name, "/"));
                examples(node.children(), name, examples);
            }
        }
    }
}
