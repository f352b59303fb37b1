<%@ page contentType="text/html; charset=UTF-8" session="false" %>
<%@ taglib prefix="t" tagdir="/WEB-INF/tags" %>
<%@ taglib prefix="c" uri="jakarta.tags.core" %>
<t:page title="Expression language">
<table>
<tr><td>\${6 * 7}</td><td>${6 * 7}</td></tr>
<tr><td>\${'7' lt 10 and not empty 'x'}</td><td>${'7' lt 10 and not empty 'x'}</td></tr>
<tr><td>\${[3, 1, 2].stream().sorted().toList()}</td><td>${[3, 1, 2].stream().sorted().toList()}</td></tr>
<tr><td>\${{'a': 1}['a']}</td><td>${{'a': 1}['a']}</td></tr>
<tr><td>\${(x -> x * x)(9)}</td><td>${(x -> x * x)(9)}</td></tr>
<tr><td>\${'mar' += 'gay'}</td><td>${'mar' += 'gay'}</td></tr>
<tr><td>\${param.name}</td><td><c:out value="${param.name}" default="(none)"/></td></tr>
<tr><td>\${pageContext.request.method}</td><td>${pageContext.request.method}</td></tr>
</table>
</t:page>
