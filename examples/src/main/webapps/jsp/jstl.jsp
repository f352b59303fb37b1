<%@ page contentType="text/html; charset=UTF-8" session="false" %>
<%@ taglib prefix="t" tagdir="/WEB-INF/tags" %>
<%@ taglib prefix="c" uri="jakarta.tags.core" %>
<%@ taglib prefix="fmt" uri="jakarta.tags.fmt" %>
<%@ taglib prefix="fn" uri="jakarta.tags.functions" %>
<fmt:setLocale value="en_GB" scope="page"/>
<c:set var="words" value="${fn:split('ocelot,margay,jaguar', ',')}"/>
<t:page title="JSTL">
<ol>
<c:forEach var="word" items="${words}" varStatus="row">
<li class="${row.index % 2 == 0 ? 'even' : 'odd'}"><c:out value="${fn:toUpperCase(word)}"/>:
<c:choose>
<c:when test="${word == 'margay'}">climbs down head first</c:when>
<c:otherwise>has ${fn:length(word)} letters</c:otherwise>
</c:choose></li>
</c:forEach>
</ol>
<p><fmt:formatNumber value="1234567.891" maxFractionDigits="2"/></p>
<p><c:out value="<b>not bold</b>"/></p>
<p><c:url value="/el.jsp"><c:param name="name" value="a b"/></c:url></p>
</t:page>
