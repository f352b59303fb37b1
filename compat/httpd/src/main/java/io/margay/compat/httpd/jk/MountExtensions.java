package io.margay.compat.httpd.jk;

import io.margay.compat.account.Account;
import io.margay.compat.httpd.syntax.Spelling;
import io.margay.gateway.config.Activation;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.proxy.ProxyRulesBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The extensions of a mount rule: `;reply_timeout=…;stateless=1`. Confined to one reading.
final class MountExtensions {
    private static final List<String> KNOWN =
            List.of(
                    "reply_timeout",
                    "sticky_ignore",
                    "stateless",
                    "active",
                    "disabled",
                    "stopped",
                    "fail_on_status",
                    "use_server_errors",
                    "session_cookie",
                    "session_path",
                    "set_session_cookie",
                    "session_cookie_path");

    private final MountRule rule;
    private final Account account;
    private final Map<String, Activation> activations = new LinkedHashMap<>();
    private @Nullable Duration replyTimeout;
    private boolean ignoreSessions;
    private boolean stateless;
    private @Nullable List<Integer> hard;
    private @Nullable List<Integer> soft;
    private int overrideFrom;
    private @Nullable String cookie;
    private @Nullable String parameter;
    private @Nullable Boolean setCookie;
    private @Nullable String cookiePath;

    private MountExtensions(MountRule rule, Account account) {
        this.rule = rule;
        this.account = account;
    }

    /// The rules of forwarding for a mount rule.
    ///
    /// @param base what holds without extensions
    /// @param ofWorker the name of the worker's session cookie; null = sessions are not sticky
    static ProxyRules apply(
            MountRule rule, ProxyRules base, @Nullable String ofWorker, Account account) {
        if (rule.extensions().isBlank()) {
            return base;
        }
        MountExtensions extensions = new MountExtensions(rule, account);
        for (String part : rule.extensions().split(";")) {
            if (!part.isBlank()) {
                extensions.read(part.strip());
            }
        }
        return extensions.rules(base, ofWorker);
    }

    private void read(String part) {
        int equals = part.indexOf('=');
        String name = equals < 0 ? part : part.substring(0, equals).strip();
        String value = equals < 0 ? "" : part.substring(equals + 1).strip();
        switch (name) {
            case "reply_timeout" -> replyTimeout = Duration.ofMillis(number(name, value));
            case "sticky_ignore" -> ignoreSessions = number(name, value) != 0;
            case "stateless" -> stateless = number(name, value) != 0;
            case "active" -> activate(value, Activation.ACTIVE);
            case "disabled" -> activate(value, Activation.DISABLED);
            case "stopped" -> activate(value, Activation.STOPPED);
            case "fail_on_status" -> failOn(value);
            case "use_server_errors" -> overrideFrom = number(name, value);
            case "session_cookie" -> cookie = value;
            case "session_path" -> parameter = value.startsWith(";") ? value.substring(1) : value;
            case "set_session_cookie" -> setCookie = number(name, value) != 0;
            case "session_cookie_path" -> cookiePath = value;
            default ->
                    account.wrong(
                            rule.place(),
                            rule.directive() + ";" + name,
                            "is not an extension" + Spelling.hint(name, KNOWN));
        }
    }

    private int number(String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            account.wrong(
                    rule.place(),
                    rule.directive() + ";" + name,
                    "\"" + value + "\" is not a" + " number");
            return 0;
        }
    }

    private void activate(String workers, Activation activation) {
        WorkerSettings.split(workers).forEach(worker -> activations.put(worker, activation));
    }

    private void failOn(String value) {
        List<Integer> errors = new ArrayList<>();
        List<Integer> warnings = new ArrayList<>();
        for (String word : WorkerSettings.split(value)) {
            int status = number("fail_on_status", word);
            (status < 0 ? warnings : errors).add(Math.abs(status));
        }
        hard = errors;
        soft = warnings;
    }

    private ProxyRules rules(ProxyRules base, @Nullable String ofWorker) {
        String name = cookie == null ? ofWorker : cookie;
        if (ofWorker == null && Boolean.TRUE.equals(setCookie)) {
            account.changed(
                    rule.place(),
                    rule.directive() + ";set_session_cookie",
                    "not set: sessions of " + rule.worker() + " are not sticky: nothing reads it");
            setCookie = null;
        }
        return ProxyRulesBuilder.builder(base)
                .replyTimeout(replyTimeout == null ? base.replyTimeout() : replyTimeout)
                .selection(
                        new ProxyRules.SelectionRules(
                                stateless,
                                ignoreSessions,
                                activations,
                                cookie,
                                parameter,
                                setCookie == null ? null : setCookie && name != null ? name : "",
                                cookiePath))
                .failStatuses(hard)
                .softFailStatuses(soft)
                .overrideStatuses(overrideFrom)
                .build();
    }
}
