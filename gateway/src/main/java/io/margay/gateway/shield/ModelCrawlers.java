package io.margay.gateway.shield;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Crawlers that collect texts for models, by what they call themselves. Stateless.
final class ModelCrawlers {
    /// Words of their `User-Agent`, as their owners document them.
    private static final List<String> NAMES =
            List.of(
                    "ai2bot",
                    "amazonbot",
                    "anthropic-ai",
                    "bytespider",
                    "ccbot",
                    "claude-web",
                    "claudebot",
                    "cohere-ai",
                    "cohere-training-data-crawler",
                    "deepseekbot",
                    "diffbot",
                    "facebookbot",
                    "gptbot",
                    "imagesiftbot",
                    "meta-externalagent",
                    "mistralai-bot",
                    "omgilibot",
                    "pangubot",
                    "timpibot",
                    "webzio-extended",
                    "youbot");

    private ModelCrawlers() {}

    /// Whether a client calls itself one.
    static boolean isOne(@Nullable String agent) {
        if (agent == null) {
            return false;
        }
        String lower = agent.toLowerCase(Locale.ROOT);
        for (String name : NAMES) {
            if (lower.contains(name)) {
                return true;
            }
        }
        return false;
    }
}
