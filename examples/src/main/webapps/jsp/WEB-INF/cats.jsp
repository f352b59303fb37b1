<%@ page contentType="text/html; charset=UTF-8" session="false" %>
<%@ taglib prefix="t" tagdir="/WEB-INF/tags" %>
<%@ taglib prefix="c" uri="jakarta.tags.core" %>
<t:page title="Cats">
<table>
<c:forEach var="cat" items="${cats}">
<tr><td>${cat.name()}</td><td><i>${cat.latin()}</i></td><td>${cat.kilograms()} kg</td></tr>
</c:forEach>
</table>
</t:page>
