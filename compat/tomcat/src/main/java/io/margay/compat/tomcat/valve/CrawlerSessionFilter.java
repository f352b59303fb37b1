package io.margay.compat.tomcat.valve;

import io.margay.compat.tomcat.filter.InitParams;
import io.margay.server.regex.BoundedPattern;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Gives a crawler that keeps no cookies the session that it had before, as Tomcat's
/// `CrawlerSessionManagerValve`. Guarded by its map.
public final class CrawlerSessionFilter implements Filter {
    private static final String AGENTS = ".*[bB]ot.*|.*Yahoo! Slurp.*|.*Feedfetcher-Google.*";

    /// Crawlers that are remembered: each costs a session at most.
    private static final int CRAWLERS_MAX = 10_000;

    private Settings settings = new Settings(BoundedPattern.of(AGENTS, false), null, 60, true);
    private final Map<String, HttpSession> sessions = new LinkedHashMap<>(16, 0.75f, true);

    /// What the valve says.
    ///
    /// @param addresses of crawlers, whatever they call themselves; null = none
    /// @param inactiveSeconds after which a crawler's session ends
    /// @param hosts whether names of hosts are told apart
    public record Settings(
            BoundedPattern agents,
            @Nullable BoundedPattern addresses,
            int inactiveSeconds,
            boolean hosts) {
        /// @throws ServletException when a parameter is wrong or unknown
        public static Settings of(InitParams params) throws ServletException {
            Settings read =
                    new Settings(
                            params.compile(
                                    "crawlerUserAgents", params.text("crawlerUserAgents", AGENTS)),
                            params.pattern("crawlerIps"),
                            (int) params.number("sessionInactiveInterval", 60, 1, 86_400),
                            params.flag("hostAware", true));
            boolean _ = params.flag("contextAware", true); // Every application has its own filter.
            params.refuseUnknown();
            return read;
        }

        boolean isCrawler(HttpServletRequest request) {
            if (addresses != null && addresses.matches(request.getRemoteAddr())) {
                return true;
            }
            List<String> names = Collections.list(request.getHeaders("User-Agent"));
            return names.size() == 1 && agents.matches(names.getFirst());
        }
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        settings = Settings.of(InitParams.of(config));
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest asked = (HttpServletRequest) request;
        if (asked.getSession(false) != null || !settings.isCrawler(asked)) {
            chain.doFilter(request, response);
            return;
        }
        String who =
                settings.hosts()
                        ? asked.getRemoteAddr() + " " + asked.getServerName()
                        : asked.getRemoteAddr();
        HttpSession before = known(who);
        chain.doFilter(before == null ? asked : new WithSession(asked, before), response);
        HttpSession made = before == null ? asked.getSession(false) : null;
        if (made != null) {
            made.setMaxInactiveInterval(settings.inactiveSeconds());
            remember(who, made);
        }
    }

    private @Nullable HttpSession known(String who) {
        synchronized (sessions) {
            HttpSession session = sessions.get(who);
            if (session != null && !isAlive(session)) {
                sessions.remove(who);
                return null;
            }
            return session;
        }
    }

    private static boolean isAlive(HttpSession session) {
        try {
            return session.getCreationTime() > 0;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private void remember(String who, HttpSession session) {
        synchronized (sessions) {
            sessions.put(who, session);
            if (sessions.size() > CRAWLERS_MAX) {
                sessions.remove(sessions.keySet().iterator().next());
            }
        }
    }

    /// A request of a crawler with the session that it had before. Confined to the request.
    private static final class WithSession extends HttpServletRequestWrapper {
        private final HttpSession session;

        WithSession(HttpServletRequest request, HttpSession session) {
            super(request);
            this.session = session;
        }

        @Override
        public @Nullable HttpSession getSession(boolean create) {
            return isAlive(session) ? session : super.getSession(create);
        }

        @Override
        public HttpSession getSession() {
            return isAlive(session) ? session : super.getSession();
        }
    }
}
