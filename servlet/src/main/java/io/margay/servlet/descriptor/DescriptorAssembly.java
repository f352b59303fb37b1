package io.margay.servlet.descriptor;

import io.margay.servlet.xml.DescriptorLimits;
import io.margay.servlet.xml.Origin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jboss.jandex.CompositeIndex;
import org.jboss.jandex.IndexView;
import org.jspecify.annotations.Nullable;

/// Assembles the effective descriptor of one application: give it web.xml and every library, ask
/// for the order, then [#assemble] with the indexes of what is to be scanned. Confined to the
/// deploying thread.
public final class DescriptorAssembly {
    private static final String WEB_XML = "WEB-INF/web.xml";
    private static final String CLASSES = "WEB-INF/classes";

    private final DescriptorLimits limits;
    private final Problems problems = new Problems();
    private final List<FragmentOrder.Fragment> libraries = new ArrayList<>();
    private final Map<String, Declarations> fragments = new LinkedHashMap<>();

    /// Those of the libraries that are not in WEB-INF/lib, by the name that they have here.
    private final Map<String, Path> shared = new HashMap<>();

    private Declarations main;
    private FragmentOrder.@Nullable Result order;
    private @Nullable Declarations common;

    /// Classes of servlets that `common` is taken over without.
    private final Set<String> leftOut = new HashSet<>();

    public DescriptorAssembly(DescriptorLimits limits) {
        this.limits = limits;
        main = new Declarations();
        main.version = WebAppDescriptors.LATEST;
    }

    /// Reads web.xml; without this call the application has none. To be called before [#library].
    public void webXml(byte[] bytes) {
        main = DescriptorReader.webXml(WEB_XML, bytes, limits, problems);
    }

    /// Adds a library.
    ///
    /// @param jar its file name
    /// @param fragmentXml content of its META-INF/web-fragment.xml, or null
    public void library(String jar, byte @Nullable [] fragmentXml) {
        add(jar, fragmentXml);
    }

    /// Adds a library, or folder of classes, that several applications share.
    ///
    /// @param place where it is, which is its name for [#orderedLibraries] and [#annotationsCount]
    /// @param fragmentXml as of [#library]
    public void shared(Path place, byte @Nullable [] fragmentXml) {
        shared.put(place.toString(), place);
        add(place.toString(), fragmentXml);
    }

    private void add(String jar, byte @Nullable [] fragmentXml) {
        if (fragmentXml == null || main.metadataComplete) {
            libraries.add(new FragmentOrder.Fragment(jar, name(jar, fragmentXml), null));
            return;
        }
        Declarations declared =
                DescriptorReader.fragment(
                        where(jar) + "/META-INF/web-fragment.xml", fragmentXml, limits, problems);
        fragments.put(jar, declared);
        libraries.add(new FragmentOrder.Fragment(jar, declared.fragmentName, declared.ordering));
    }

    /// A library in messages; what is in it follows after a slash.
    private String where(String jar) {
        Path place = shared.get(jar);
        if (place == null) {
            return "WEB-INF/lib/" + jar + "!";
        }
        return Files.isDirectory(place) ? jar : jar + "!";
    }

    /// File names of the libraries in fragment order, as applications are told them: a folder has
    /// none.
    private List<String> fileNames() {
        List<String> names = new ArrayList<>();
        for (String jar : order().jars()) {
            Path place = shared.get(jar);
            if (place == null) {
                names.add(jar);
            } else if (!Files.isDirectory(place)) {
                names.add(place.getFileName().toString());
            }
        }
        return names;
    }

    /// An application whose web.xml is complete takes no more from a fragment than its name, and
    /// that only for an absolute ordering.
    private @Nullable String name(String jar, byte @Nullable [] fragmentXml) {
        if (fragmentXml == null || main.absoluteOrdering == null) {
            return null;
        }
        return DescriptorReader.fragment(jar, fragmentXml, limits, new Problems()).fragmentName;
    }

    /// Reads a web.xml that holds where the application and its libraries say nothing. What is read
    /// later is added, and counts where both say something.
    ///
    /// @param file its name for messages
    /// @param without classes of servlets that are left out
    public void common(String file, byte[] bytes, Set<String> without) {
        Declarations read = DescriptorReader.webXml(file, bytes, limits, problems);
        leftOut.addAll(without);
        if (common == null) {
            common = read;
        } else {
            new Merger(common, problems).over(read);
        }
    }

    /// Takes away the servlets that are left out, once it is known of which class each is.
    private Declarations withoutLeftOut(Declarations read) {
        Set<String> gone = new HashSet<>();
        read.servlets.values().stream()
                .filter(one -> one.className != null && leftOut.contains(one.className.value()))
                .forEach(one -> gone.add(one.name));
        gone.forEach(read.servlets::remove);
        read.servletMappings.removeIf(mapping -> gone.contains(mapping.servlet()));
        return read;
    }

    /// The libraries in fragment order, without those that an absolute ordering leaves out.
    public List<String> orderedLibraries() {
        return order().jars();
    }

    /// Whether web.xml or a library asks for an order.
    public boolean isOrdered() {
        return order().ordered();
    }

    private FragmentOrder.Result order() {
        FragmentOrder.Result known = order;
        if (known == null) {
            problems.throwIfAny();
            known = FragmentOrder.order(libraries, main.absoluteOrdering);
            order = known;
        }
        return known;
    }

    /// Whether annotations and fragments are to be left alone.
    public boolean metadataComplete() {
        return main.metadataComplete;
    }

    /// Whether the annotations of a library declare servlets, filters and listeners.
    public boolean annotationsCount(String jar) {
        Declarations declared = fragments.get(jar);
        return !main.metadataComplete && (declared == null || !declared.metadataComplete);
    }

    /// Merges everything.
    ///
    /// @param classes index of WEB-INF/classes, or null when it is not to be scanned
    /// @param indexes by library, of those in order whose annotations count
    /// @throws io.margay.servlet.xml.DescriptorException naming every problem
    public WebAppDescriptor assemble(
            @Nullable IndexView classes, Map<String, ? extends IndexView> indexes) {
        return assemble(classes, indexes, _ -> null);
    }

    /// The same, where libraries in which nothing is annotated have no index.
    ///
    /// @param others finds a class of those, by its name
    public WebAppDescriptor assemble(
            @Nullable IndexView classes,
            Map<String, ? extends IndexView> indexes,
            UnindexedClasses others) {
        FragmentOrder.Result ordered = order();
        Merger merger = new Merger(main, problems);
        List<IndexView> counted = new ArrayList<>();
        Declarations annotated = null;
        if (classes != null && !main.metadataComplete) {
            annotated = AnnotationReader.read(CLASSES, classes, problems);
            counted.add(classes);
        }
        merger.archive(null, annotated);
        for (String jar : ordered.jars()) {
            IndexView index = annotationsCount(jar) ? indexes.get(jar) : null;
            Declarations fragment = fragments.get(jar);
            Declarations found = null;
            if (index != null) {
                found = AnnotationReader.read(where(jar), index, problems);
                counted.add(index);
            }
            if (fragment == null) {
                fragment = new Declarations();
                fragment.distributable = true;
            }
            merger.archive(fragment, found);
        }
        if (common != null) {
            merger.common(withoutLeftOut(common));
        }
        AnnotatedClasses all = new AnnotatedClasses(CompositeIndex.create(counted), others);
        ClassAnnotations.apply(main, all);
        ResourceAnnotations.apply(main, all, problems);
        WebAppDescriptor result =
                new EffectiveDescriptor(main, problems)
                        .build(ordered.ordered() ? fileNames() : null);
        problems.throwIfAny();
        return result;
    }

    /// Where a listener is declared, once all is assembled; else the element alone.
    String listener(String className) {
        Origin origin = main.listeners.get(className);
        return origin == null ? "<listener>" : origin.toString();
    }

    /// Where a filter is declared, once all is assembled; else the element alone.
    String filter(String name) {
        Declarations.Filter filter = main.filters.get(name);
        return filter == null ? "<filter>" : filter.origin.toString();
    }

    /// Where a servlet is declared, once all is assembled; else the element alone.
    String servlet(String name) {
        Declarations.Servlet servlet = main.servlets.get(name);
        return servlet == null ? "<servlet>" : servlet.origin.toString();
    }

    /// What is odd but no error, one line each.
    public List<String> warnings() {
        return problems.warnings();
    }
}
