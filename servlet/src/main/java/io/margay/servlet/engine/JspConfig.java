package io.margay.servlet.engine;

import io.margay.servlet.descriptor.WebAppDescriptor.JspDef;
import io.margay.servlet.descriptor.WebAppDescriptor.JspGroup;
import jakarta.servlet.descriptor.JspConfigDescriptor;
import jakarta.servlet.descriptor.JspPropertyGroupDescriptor;
import jakarta.servlet.descriptor.TaglibDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The `jsp-config` of an application as the Servlet interface shows it. Immutable.
record JspConfig(JspDef definition) implements JspConfigDescriptor {
    @Override
    public Collection<TaglibDescriptor> getTaglibs() {
        List<TaglibDescriptor> taglibs = new ArrayList<>();
        definition.taglibs().forEach(t -> taglibs.add(new Taglib(t.uri(), t.location())));
        return taglibs;
    }

    @Override
    public Collection<JspPropertyGroupDescriptor> getJspPropertyGroups() {
        List<JspPropertyGroupDescriptor> groups = new ArrayList<>();
        definition.groups().forEach(g -> groups.add(new Group(g)));
        return groups;
    }

    private record Taglib(String uri, String location) implements TaglibDescriptor {
        @Override
        public String getTaglibURI() {
            return uri;
        }

        @Override
        public String getTaglibLocation() {
            return location;
        }
    }

    private record Group(JspGroup group) implements JspPropertyGroupDescriptor {
        @Override
        public Collection<String> getUrlPatterns() {
            return new ArrayList<>(group.urlPatterns());
        }

        @Override
        public @Nullable String getElIgnored() {
            return group.elIgnored();
        }

        @Override
        public @Nullable String getErrorOnELNotFound() {
            return group.errorOnElNotFound();
        }

        @Override
        public @Nullable String getPageEncoding() {
            return group.pageEncoding();
        }

        @Override
        public @Nullable String getScriptingInvalid() {
            return group.scriptingInvalid();
        }

        @Override
        public @Nullable String getIsXml() {
            return group.isXml();
        }

        @Override
        public Collection<String> getIncludePreludes() {
            return new ArrayList<>(group.includePreludes());
        }

        @Override
        public Collection<String> getIncludeCodas() {
            return new ArrayList<>(group.includeCodas());
        }

        @Override
        public @Nullable String getDeferredSyntaxAllowedAsLiteral() {
            return group.deferredSyntaxAllowedAsLiteral();
        }

        @Override
        public @Nullable String getTrimDirectiveWhitespaces() {
            return group.trimDirectiveWhitespaces();
        }

        @Override
        public @Nullable String getDefaultContentType() {
            return group.defaultContentType();
        }

        @Override
        public @Nullable String getBuffer() {
            return group.buffer();
        }

        @Override
        public @Nullable String getErrorOnUndeclaredNamespace() {
            return group.errorOnUndeclaredNamespace();
        }
    }
}
